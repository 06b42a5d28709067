// memfit - SPDX-License-Identifier: Apache-2.0
//
// Types of memfit.js. All amounts are bytes as plain numbers, exact up to 2^53 - 1.

/**
 * Loads the estimator. `wasmUrl` and `modelsUrl` are where memfit.wasm and models.json (the catalogue of
 * models) lie, when not beside memfit.js. With `modelsUrl: null` only the most popular models are known.
 */
export function load(options?: {
  wasmUrl?: string | URL;
  modelsUrl?: string | URL | null;
}): Promise<Memfit>;

/** Thrown for input that cannot be answered. */
export class MemfitError extends Error {
  /** A word for programs: "bad-json", "out-of-range", ... */
  readonly code: ErrorCode;
  /** The key, path or part of a file at fault; empty when there is none. */
  readonly field: string;
}
export type ErrorCode =
  "bad-json" | "bad-file" | "missing" | "out-of-range" | "overflow" | "unknown" | "unsupported";

export interface Memfit {
  readonly version: string;
  /** How many bytes each device needs, and where every byte goes. */
  estimate(query?: Query): Report;
  /** One total a method, and why they differ. */
  compare(query?: Query): Comparison;
  /** One row a device and count; all devices of the catalogue, when none are named. */
  fit(query?: Query, options?: { devices?: string[]; counts?: number[] }): FitRow[];
  /** The largest value of a field with which the query still fits its `device`. */
  solve(query?: Query, options?: { vary?: "seq" | "batch" | "concurrency" | "params" }): Solution;
  /** Changes that make it fit, or fit better, best first. */
  advise(query?: Query): Advice[];
  /** Totals over a grid of two fields, row by row: the value at (i, j) is at j * nx + i. */
  sweep(query: Query, options: { x: Axis; y: Axis; nx: number; ny: number }): Float32Array;
  /**
   * Reads a config.json, a GGUF file (its head is enough), a safetensors index or header. The model is
   * kept for this page: its `id` is what `query.model` takes.
   */
  readModel(bytesOrText: string | Uint8Array | ArrayBuffer, name?: string): ReadModel;
  /** A query as URL parameters, defaults left out. */
  encode(query: Query): string;
  /** URL parameters as a query; what could not be used is said in `notices`. */
  /**
   * `defaults` are those in force: some depend on other fields, `weights` on the task. `idle` names the fields
   * that change nothing as things stand, given or not, with the kind of reason.
   */
  decode(text: string): {
    query: Query;
    notices: Notice[];
    defaults: Record<string, string>;
    idle: Record<string, "task" | "engine" | "trainer" | "model" | "setting">;
  };
  models(): Model[];
  devices(): Device[];
  fields(): Field[];
}

/** What is asked. Every field may be absent; keys are those of the URL. */
export interface Query {
  //@fields
}

/** A number with its band: exact amounts have low = expected = high. */
export interface Band {
  low: number;
  expected: number;
  high: number;
}

export interface Report {
  query: Query;
  notices: Notice[];
  model: {
    id: string;
    name: string;
    parameters: number;
    activeParameters: number;
    /** The model is known only by its size; a typical shape of that size stands for it. */
    typical: boolean;
    [more: string]: unknown;
  };
  method: Method;
  engine: Engine;
  /** Of the engine, where its releases are told apart: the query's, or the newest that was read. */
  release?: string;
  perDevice: Band;
  /** Host memory. */
  host: Band;
  /** Over all devices. */
  total: Band;
  devices: number;
  /** Per device. */
  kv: { bytesPerToken: number; bytesPerSequence: number };
  ledger: Entry[];
  /** How the query's `device` holds it; absent when none was named. */
  fit?: FitRow;
  parallelism: { tp: number; pp: number; ep: number; cp: number; dp: number; zero: number };
  /** Engines that fill the device with cache: how much of it there is. */
  capacity?: {
    pool: number;
    tokens: number;
    sequences: number;
    fraction: number;
    share: number;
    needed: number;
  };
  training?: { allocated: Band; reserved: Band; driver: Band; steady: number };
  phases?: { name: string; perDevice: Band; ledger: Entry[] }[];
}

export type Component =
  | "weights"
  | "adapters"
  | "kv_cache"
  | "recurrent_state"
  | "activations"
  | "logits"
  | "compute_buffer"
  | "gradients"
  | "optimizer"
  | "master_weights"
  | "communication"
  | "framework";

/** Bytes of one thing in one place, and the reason for them. */
export interface Entry extends Band {
  component: Component;
  where: "device" | "host";
  /** In the field's notation; the symbols are those of `inputs`. */
  formula: string;
  inputs: Record<string, number>;
  note?: string;
  source: string;
}

export type Method = NonNullable<Query["method"]>;
export type Engine = NonNullable<Query["engine"]>;

export type NoticeCode =
  "unknown-key" | "unknown-value" | "out-of-range" | "no-effect" | "not-applicable" | "assumption";

/** Something that the reader should know; never an error. */
export interface Notice {
  code: NoticeCode;
  field: string;
  given: string;
  accepted: string;
  message: string;
  /** Of "no-effect": why the field changes nothing, where method and task are not the reason. */
  reason?: string;
}

export interface FitRow {
  device: string;
  name: string;
  count: number;
  need: Band;
  /** What the device has, and how much of it can be used. */
  total: number;
  usable: number;
  basis: string;
  /** usable - need.high; negative when it does not fit. */
  headroom: number;
  /** Of the device, where the engine takes a fraction of it: the verdict is on the need within it. */
  fraction?: number;
  verdict: "fits" | "tight" | "no" | `needs-${number}-devices`;
  judgedOn: "high";
  /** null when no number of them is enough. */
  devicesNeeded: number | null;
}

export interface Comparison {
  methods: {
    method: Method;
    title: string;
    source: string;
    /** Whether the method says anything about this query. */
    covers: boolean;
    perDevice?: Band;
    total?: Band;
    components?: Partial<Record<Component, number>>;
  }[];
  differences: {
    method: Method;
    component: Component;
    here: number;
    there: number;
    reason: string;
  }[];
}

export interface Solution {
  vary: string;
  /** null when not even the smallest value fits. */
  value: number | null;
  /** Whether the largest accepted value fits too. */
  unbounded: boolean;
  fit: FitRow;
}

export interface Advice {
  /** "shorter", "smaller-batch", "qlora", ...; "together" for several changes. */
  id: string;
  changes: { key: string; from: string; to: string }[];
  /** Asking it gives the new answer. */
  query: Query;
  perDevice: Band;
  /** Bytes, of perDevice.high. */
  saved: number;
  /** On the query's device; false where it names none. */
  fits: boolean;
  fit?: FitRow;
  /** One English sentence: what it costs. */
  price: string;
}

export interface Axis {
  key: string;
  from: number;
  to: number;
}

export interface ReadModel {
  [more: string]: unknown;
}

export interface Model {
  id: string;
  name: string;
  [more: string]: unknown;
}

export interface Device {
  id: string;
  name: string;
  vendor: string;
  class: string;
  labelGB: number;
  usable: number;
  basis: string;
  /** Whether the total was measured on such a device; otherwise it follows from its specification. */
  measured: boolean;
  year: number;
  source: string;
}

export interface Field {
  name: string;
  kind: "choice" | "integer" | "real" | "flag" | "amount" | "text" | "document";
  default: string | number | boolean | null;
  min?: number;
  max?: number;
  unit?: string;
  values?: string[];
  /** What it changes the answer of: "always", or a method and kind of task such as "pai-training". */
  effects: string[];
  /** Who reads it: a list that is absent is all of them. */
  reads: { tasks?: string[]; engines?: string[]; trainers?: string[] };
  /** Its heading on the page, what it is set with, whether it is seen before anything is opened, and its place. */
  group:
    | "model"
    | "workload"
    | "device"
    | "shape"
    | "cache"
    | "parallel"
    | "engine"
    | "training"
    | "deviceMore"
    | "page";
  control: "own" | "doubling" | "stepper" | "select" | "switch" | "entry";
  shown: "compact" | "first" | "more";
  order: number;
  help: string;
}
