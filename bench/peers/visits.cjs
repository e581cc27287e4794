/* Drives one browser with a fresh profile: `visits.cjs NAME PROGRAM`, NAME being chrome or firefox. One JSON request a
   line on stdin, one JSON reply a line on stdout: {"op": "open", "watch": "…"} starts the browser, "visit" goes to a page
   and waits for its answer, "again" asks in the open page, "quit" ends. The network is cut but for this machine, and
   pages from a folder have no rights that a visitor's would not have. */
"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const readline = require("node:readline");
const puppeteer = require("puppeteer-core");

const [NAME, PROGRAM] = process.argv.slice(2);
const PATIENCE = 180_000;
const PAUSE = 25;
/* So long a browser that has just started has other things to do. */
const SETTLING = 1_000;
const FIREFOX = {
  "security.fileuri.strict_origin_policy": true,
  "remote.prefs.recommended": false,
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 9,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 9,
  "network.proxy.no_proxies_on": "127.0.0.1",
  "app.update.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.aboutwelcome.enabled": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "privacy.reduceTimerPrecision": false,
  "toolkit.telemetry.enabled": false,
};
const CHROME = ["--no-sandbox", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"];

let browser;
let tab;
let errors = [];

async function open({ profile, watch }) {
  browser = await puppeteer.launch({
    browser: NAME,
    executablePath: PROGRAM,
    headless: true,
    userDataDir: profile,
    args: NAME === "chrome" ? CHROME : [],
    ...(NAME === "firefox" && { extraPrefsFirefox: FIREFOX }),
  });
  tab = (await browser.pages())[0] || (await browser.newPage());
  tab.on("pageerror", (error) => errors.push(String(error)));
  await tab.evaluateOnNewDocument(watch);
  await new Promise((resolve) => setTimeout(resolve, SETTLING));
  return { pid: browser.process().pid, version: await browser.version() };
}

/* The page keeps what it saw in `bench`; how often it is looked at does not change the times. */
async function seen() {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await tab.evaluate("globalThis.bench ? JSON.stringify(bench) : ''");
    const marks = found ? JSON.parse(found) : {};
    if (marks.failed) throw new Error(marks.failed);
    if (marks.shown) return marks;
    if (Date.now() > end) throw new Error(`no answer; ${errors.at(-1) || "without a word"}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

async function visit({ url }) {
  errors = [];
  await tab.goto(url, { waitUntil: "domcontentloaded" });
  return seen();
}

async function again({ question }) {
  await tab.evaluate(`bench.ask(${JSON.stringify(question)})`);
  return seen();
}

const operations = { open, visit, again };

/* Whoever asked is gone: nobody waits for the browser. */
process.stdout.on("error", () => {
  browser?.process()?.kill("SIGKILL");
  process.exit(1);
});

function reply(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function main() {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "bench-profile-"));
  try {
    for await (const line of readline.createInterface({ input: process.stdin })) {
      const request = JSON.parse(line);
      if (request.op === "quit") break;
      try {
        reply({ value: await operations[request.op]({ ...request, profile }) });
      } catch (error) {
        reply({ error: String(error).split("\n")[0] });
      }
    }
  } finally {
    if (browser) await Promise.race([browser.close(), new Promise((resolve) => setTimeout(resolve, 5000))]);
    browser?.process()?.kill("SIGKILL");
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  process.exit(0);
}

main();
