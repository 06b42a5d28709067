// memfit - SPDX-License-Identifier: Apache-2.0
//
// Numbers and units as a language writes them: the JavaScript half of src/app/words/number_format.h.

const noBreakSpace = "\u00a0";
export const minus = "\u2212";
const thousands = [
  { size: 1e12, letter: "T" },
  { size: 1e9, letter: "B" },
  { size: 1e6, letter: "M" },
  { size: 1e3, letter: "K" },
];

/** `numbers`: the language's signs and units, as its table has them. */
export function numbersOf(numbers) {
  // Takes what toFixed() gives.
  const localized = (plain) => {
    const [, sign, whole, fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plain);
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, numbers.group);
    return (sign && minus) + grouped + (fraction ? numbers.decimal + fraction : "");
  };
  const short = (value) => {
    const size = Math.abs(value);
    return localized(value.toFixed(size >= 999.95 ? 0 : size >= 0.995 || size === 0 ? 1 : 2));
  };
  const number = (value) =>
    Number.isInteger(value)
      ? localized(value.toFixed(0))
      : localized(value.toFixed(4).replace(/\.?0+$/, ""));

  // "8 B", "70.6 B", "494 M".
  function parameters(value) {
    const { size, letter } = thousands.find(({ size }) => value / size >= 0.9995) ?? {
      size: 1,
      letter: "",
    };
    const scaled = value / size;
    const text = scaled.toFixed(scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0);
    return (
      localized(text.includes(".") ? text.replace(/\.?0+$/, "") : text) +
      (letter && noBreakSpace + letter)
    );
  }

  // The amounts of a query in its unit.
  function amounts(units) {
    const binary = units === "GiB";
    const step = binary ? 1024 : 1000;
    const giga = step ** 3;
    const named = (value, unit) => ({
      value,
      unit: numbers[unit],
      text: value + noBreakSpace + numbers[unit],
    });
    return {
      unit: numbers[binary ? "GiB" : "GB"],
      gigabytes: (bytes) => short(bytes / giga),
      signed: (bytes) =>
        `${bytes < 0 ? minus : "+"}${short(Math.abs(bytes) / giga)}${noBreakSpace}${numbers[binary ? "GiB" : "GB"]}`,
      bytes(bytes) {
        const value = bytes / giga;
        if (value >= 9999.5) return named(short(value / step), binary ? "TiB" : "TB");
        if (value >= 0.095 || bytes === 0) return named(short(value), binary ? "GiB" : "GB");
        if (value * step >= 0.095) return named(short(value * step), binary ? "MiB" : "MB");
        if (value * step * step >= 0.95)
          return named(short(value * step * step), binary ? "KiB" : "KB");
        return named(number(bytes), "bytes");
      },
    };
  }

  return { localized, number, parameters, amounts };
}
