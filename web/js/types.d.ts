/**
 * Shapes that cross a border: the page's data block, the manifest, the worker protocol and the JSON of cairn_core.bridge.
 * Declared here once; the scripts refer to them through JSDoc.
 */

/** The JSON of `<script type="application/json" id="cairn-page">`. */
interface PageData {
  /** Language of the page, the interface language of every question asked on it. */
  lang: string;
  /** Relative URL of the site's root from this page, "../" or "". */
  root: string;
  /** Every sentence the scripts show, by its locale key; placeholders in braces. */
  messages: Record<string, string>;
  /** Document id -> title and URL from the root: the documents of the page's language, unless they are many. */
  nearby?: Record<string, [string, string]>;
  /** Name and checksum of every script of the page, in the order in which they run. */
  scripts: [string, string][];
  /** Checksum of the stylesheet. */
  style: string;
  /** Only in the site of a kiosk. */
  kiosk?: { keyboard: Keyboard | null };
  /** Shorter limits for tests. */
  limits?: Partial<Limits>;
}

/** What find.js needs: the page's language, and its messages by their locale key. */
interface FindData {
  lang: string;
  messages: Record<string, string>;
}

/** The data block of the page that checks a copy. */
interface VerifyData {
  lang: string;
  root: string;
  messages: Record<string, string>;
}

/** Milliseconds, and bytes. */
interface Limits {
  /** Getting ready takes longer than this: the reader is told. */
  slow: number;
  /** No progress for this long while getting ready: it failed. */
  watchdog: number;
  /** A question may take this long before the worker is replaced. */
  question: number;
  /** Bytes by which Python's memory may have grown since it was ready; it never shrinks by itself. */
  growth: number;
}

// ---- files of the site

interface ManifestPart {
  /** Of the bytes before compression. */
  sha256: string;
  /** Bytes before compression. */
  size: number;
  /** Bytes of the gzip form. */
  gz: number;
}

interface Manifest {
  format: number;
  build: string;
  pyodide: string;
  parts: Record<string, ManifestPart>;
  /** SHA-256 of each script of the page, as the text of its function. */
  scripts: Record<string, string>;
}

/** Why the engine cannot answer; the reader's sentence is the message `error.<code>`. */
type FailureCode = "missing" | "damaged" | "mixed" | "unreachable" | "timeout" | "crashed" | "wasm" | "browser";

interface Failure {
  code: FailureCode;
  /** Name of the part or file concerned, "" when none is. */
  part: string;
  /** For bug reports, never shown. */
  detail: string;
}

// ---- worker protocol

type WorkerRequest =
  /** Start with what arrives, from the snapshot or the library. */
  | { type: "begin"; snapshot: boolean }
  /** A part that has arrived: before boot what the start needs, afterwards more of the index. */
  | { type: "part"; name: string; bytes: ArrayBuffer }
  /** All of them have been sent; open the session with these languages. */
  | { type: "boot"; shards: string[] }
  | { type: "ask"; id: number; request: string }
  /** The parts that the question of `id` needs have been sent. */
  | { type: "again"; id: number }
  /** Make what questions in the languages that are there share. */
  | { type: "prepare" }
  /** Drop what is left of the questions asked so far. */
  | { type: "forget" };

type WorkerReport =
  | { type: "stage"; stage: Stage }
  | { type: "ready" }
  /** Before the question of `id` can be answered these parts of the index have to be sent. */
  | { type: "need"; id: number; parts: string[] }
  /** Everything that questions in the languages that are there share is made. */
  | { type: "prepared"; memory: number }
  /** `memory`: bytes that Python's memory takes. */
  | { type: "answer"; id: number; response: string; memory: number }
  /** "snapshot": this browser cannot start from it. */
  | { type: "error"; id: number; code: FailureCode | "snapshot"; part: string; detail: string };

// ---- engine

/** Steps of getting ready, in order; each has a message `boot.<stage>`. */
type Stage = "unpacking" | "starting" | "reading";

type EngineState =
  | { name: "idle" }
  | { name: "preparing"; stage: Stage; progress: number; slow: boolean }
  | { name: "ready" }
  | { name: "failed"; failure: Failure };

interface EngineOptions {
  /** The language most questions are expected in: other languages are loaded when a question needs them, or later. */
  lang?: string;
  limits?: Partial<Limits> | undefined;
  onState(state: EngineState): void;
  onAnswer(response: AskResponse, responseText: string): void;
}

interface Engine {
  readonly state: EngineState;
  /** Get ready; does nothing while getting ready or when ready. */
  start(): void;
  /** Answer a question as soon as possible; a newer question replaces one that still waits. */
  ask(request: AskRequest): void;
  /** Drop the question that waits or is being answered, and what the worker still holds of earlier ones. */
  forget(): void;
}

// ---- cairn_core.bridge

interface AskRequest {
  question: string;
  lang: string | null;
  interface: string | null;
  /** Search the words as they are typed, without glossary and corrections. */
  literal: boolean;
}

/** [text, true when it must be isolated left to right]. */
type Run = [string, boolean];

interface AnswerSource {
  id: string;
  title: string;
  lang: string;
  dir: string;
  text: string;
  /** One letter per line of text: h heading, p paragraph, l and o list items, t and r table rows, c code, q quote. */
  layout: string;
  section: string;
  url: string;
  /** "" or YYYY-MM-DD. */
  reviewed: string;
}

interface AnswerPayload {
  kind: "grounded" | "refusal";
  grounded: boolean;
  text: string;
  cited_text: string;
  lang: string;
  dir: string;
  notice: string | null;
  sources: AnswerSource[];
}

interface TranslationLink {
  lang: string;
  dir: string;
  title: string;
  url: string;
  endonym: string;
}

/** Spans of a passage's text, start and end in code points. */
interface Marks {
  matched: [number, number][];
  sentence: [number, number] | null;
}

/** Help that the operator's own words call up, above whatever else. */
interface Urgent {
  lang: string;
  dir: string;
  heading: string;
  text: Run[];
  contact: Run[];
}

interface BridgeError {
  code: string;
  detail: string;
}

interface AskResponse {
  format: number;
  answer: AnswerPayload;
  runs: Run[];
  heading: string;
  status: string;
  dir: string;
  lang: string;
  contact: Run[];
  urgent: Urgent | null;
  /** Of each source, what stands out. */
  marks: Marks[];
  /** Why the answer came out so, in sentences. */
  why: { heading: string; reasons: Run[][] };
  /** Of each source of the answer: its lines, and the cells of each. */
  lines: Run[][][][];
  notice: string | null;
  translations: { source: string; links: TranslationLink[] }[];
  detection: { lang: string };
  /** Of a refusal: ids of the documents that came closest. */
  nearest: string[];
  trace: object;
  /** Words as typed, and as they were searched. */
  corrections: [string, string][];
  /** Phrases of the operator's glossary, and what was searched as well. */
  expansions: [string, string[]][];
  /** Both in sentences. */
  disclosures: Run[][];
  cut: boolean;
}

// ---- globals

interface Bytes {
  /** Load and check the manifest of the build this page belongs to. */
  manifest(): Promise<Manifest>;
  /** Check the scripts of this page: they ran before there was a manifest. */
  scripts(manifest: Manifest): Promise<void>;
  /**
   * Load parts side by side; `onPart` gets the checked bytes before compression of each as soon as it is there. None is
   * unpacked before `first` is there, which has this thread to itself until then.
   */
  parts(
    manifest: Manifest,
    names: string[],
    onShare: (share: number) => unknown,
    onPart: (name: string, bytes: ArrayBuffer) => void,
    first?: Promise<unknown>
  ): Promise<void>;
  /** Load one script of the engine in the form that can run in the page, checked. */
  script(manifest: Manifest, name: string): Promise<(self: object) => void>;
  /** SHA-256 of the text of a script that was registered as a function. */
  textHash(script: Function): Promise<string>;
  /** An error that carries a failure. */
  failure(code: FailureCode, part: string, detail: string): Error & { failure: Failure };
  /** The failure that an error carries; any other error is a crash. */
  asFailure(error: unknown): Failure;
}

interface Unpacking {
  take(chunk: Uint8Array<ArrayBuffer>): void;
  /** The result; fails when the bytes cannot be unpacked or are another number. */
  end(): Promise<ArrayBuffer>;
}

/** What an engine uses of a worker. */
interface EngineHost {
  onmessage: ((event: any) => void) | null; // any: a MessageEvent of a worker, or its data alone from the page
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: WorkerRequest, transfer: ArrayBuffer[]): void;
  terminate(): void;
}

interface Needed {
  /** Whether the start is from the snapshot. */
  snapshot: boolean;
  /** Names of the parts for it, and of those that can wait. */
  now: string[];
  later: string[];
}

interface Hosts {
  /** Fails with "wasm" where WebAssembly cannot run. */
  probe(): Promise<void>;
  /** Whether starting from the snapshot saves time in this browser. */
  quickWithSnapshot(): boolean;
  /** Load what the engine runs, and return what starts it: in the page, or in a worker. */
  load(manifest: Manifest, inPage: boolean): Promise<() => EngineHost>;
  /** What a start with questions in a language needs, from the snapshot if there is one and it is wanted. */
  needs(manifest: Manifest, snapshot: boolean, lang: string | undefined): Needed;
  inPage(scripts: ((self: object) => void)[]): EngineHost;
}

/** What a page in the panel tells the ask page. */
interface FrameMessage {
  cairn: "active" | "back";
}

/** What a kiosk's ask page tells of a refusal, in the event `cairn-outcome`; null: nothing is refused any more. */
interface Refused {
  words: string;
  /** Language the question was taken for. */
  lang: string;
}

/** An on-screen keyboard: rows of keys with their names; "" for no shift key. */
interface Keyboard {
  name: string;
  rows: [string, string][][];
  shift: string;
  space: string;
  backspace: string;
}

interface Panel {
  /** Let the links of a part of the page that lead to documents open in the panel. */
  take(part: HTMLElement): void;
  /** Close it and go back to nothing. */
  shut(): void;
}

interface Quoting {
  /** A passage as a block of quotation, with what stands out in it. */
  quote(source: AnswerSource, lines: Run[][][], marks?: Marks): HTMLElement;
  /** Text whose numbers and addresses keep their order in every direction. */
  runs(all: Run[]): DocumentFragment;
  element(tag: string, attributes: Record<string, string>, text?: string): HTMLElement;
}

interface View {
  /** An answer or refusal as nodes for the answer's body. */
  answer(response: AskResponse, page: PageData): DocumentFragment;
  /** What the alert region says about a failure. */
  failure(failure: Failure, page: PageData): DocumentFragment;
  /** Words that stand beside an answer. */
  note(text: string): HTMLElement;
  message(page: PageData, key: string, values?: Record<string, string>): string;
  /** A message in the plural form of a number. */
  count(page: PageData, key: string, number: number): string;
}

interface Cairn {
  /** What the files in assets/js register: each script as a function that has not run. */
  scripts: Record<string, () => void>;
  manifest?: Manifest;
  /** What assets/files.js registers: the SHA-256 of every file but itself and the manifest's whole form. */
  files?: { build: string; files: Record<string, string> };
  /** Called by the scripts in assets/parts: registers the gzip bytes of a part. */
  put(name: string, base64: string): void;
  /** Called by the scripts in assets/run: registers a script of the engine as a function. */
  run(name: string, body: (self: object) => void): void;
  bytes: Bytes;
  /** Bytes before compression from those of a part as they arrive; `size` is that of the result. */
  unpacking(size: number): Unpacking;
  hosts: Hosts;
  /** SHA-256 as hexadecimal digits. */
  sha256(bytes: ArrayBuffer): Promise<string>;
  createEngine(options: EngineOptions): Engine;
  quote: Quoting;
  panel: Panel;
  keyboard: { attach(place: HTMLElement, field: HTMLTextAreaElement, layout: Keyboard): void };
  view: View;
}

declare var cairn: Cairn;

interface Uint8ArrayConstructor {
  /** Newer than the library this project's compiler knows. */
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}

/** What worker.js uses of Pyodide. */
interface Python {
  runPython(code: string, options?: { globals?: unknown }): any; // any: a proxy of whatever the code returns
  toPy(value: unknown): any; // any: a proxy of whatever the value becomes
  _module: { HEAPU8: Uint8Array };
}

declare function loadPyodide(options: {
  indexURL: string;
  packageBaseUrl: string;
  stdLibURL: string;
  lockFileContents: Promise<string>;
  /** Memory to start from. Not documented by Pyodide; the version is pinned. */
  _loadSnapshot?: Uint8Array;
}): Promise<Python>;
