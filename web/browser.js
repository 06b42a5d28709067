// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the canvas (host.js) and the plain view (twin/) both ask of the browser and its reader.

// As much of a model file as memfit reads: a GGUF's metadata and tensor list, a safetensors header.
const modelFileHead = 48 << 20;

/** The bytes of a model file that count. */
export const headOf = async (file) =>
  new Uint8Array(await file.slice(0, modelFileHead).arrayBuffer());

/** Lets the reader choose a model file, which `use` then gets. */
export function chooseModelFile(use) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".json,.gguf,.safetensors";
  input.addEventListener("change", () => input.files[0] && use(input.files[0]));
  input.click();
}

/**
 * Puts a text on the clipboard, and says whether it could. Where there is no permission (a frame without
 * allow="clipboard-write", plain http) a field shows up in `place`, to copy from by hand.
 */
export async function copyText(text, place, label) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const dialog = document.createElement("dialog");
    const field = document.createElement("textarea");
    Object.assign(field, { value: text, readOnly: true, rows: 4, cols: 60, ariaLabel: label });
    dialog.append(field);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    place.append(dialog);
    dialog.showModal();
    field.select();
    return false;
  }
}
