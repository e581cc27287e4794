/**
 * Shapes that cross a border: the page's data block, the manifest, the worker protocol and the JSON of cairn_core.bridge.
 * Declared here once; the scripts refer to them through JSDoc.
 */

/** [text, true when it must be isolated left to right]. */
type Run = [string, boolean];

/** The JSON of `<script type="application/json" id="cairn-page">`. */
interface PageData {
  /** Language of the page, the interface language of every question asked on it. */
  lang: string;
  /** Relative URL of the site's root from this page, "../" or "". */
  root: string;
  /** Every sentence the scripts show, by its locale key; placeholders in braces. */
  messages: Record<string, string>;
  /** Shorter limits for tests, milliseconds: slow 10000, watchdog 60000, question 10000. */
  limits?: Partial<Limits>;
}

interface Limits {
  slow: number;
  watchdog: number;
  question: number;
}

interface ManifestPart {
  sha256: string;
  size: number;
  gz: number;
}

interface Manifest {
  format: number;
  build: string;
  pyodide: string;
  parts: Record<string, ManifestPart>;
  files: Record<string, string>;
}

/** What the reader is told when the engine cannot answer; each has its own message `error.<code>`. */
type FailureCode = "damaged" | "mixed" | "timeout" | "crashed" | "wasm_forbidden" | "unsupported";

interface Failure {
  code: FailureCode;
  /** Name of the part or file concerned, "" when none is. */
  part: string;
  /** For the console and bug reports, never shown. */
  detail: string;
}

/** Steps of getting ready, in order; each has a message `boot.<stage>`. */
type Stage = "fetch" | "start" | "library" | "index";

type EngineState =
  | { name: "idle" }
  | { name: "preparing"; stage: Stage; done: number; total: number; slow: boolean }
  | { name: "ready" }
  | { name: "failed"; failure: Failure };
