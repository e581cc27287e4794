// Drives Firefox over WebDriver BiDi for pytest: one JSON request a line on stdin, one JSON reply a line on stdout.
// Started as: node firefox.cjs FIREFOX. A request names an operation and a page: {"op": "goto", "page": 1, "url": "…"}
"use strict";
const readline = require("node:readline");
const puppeteer = require("puppeteer-core");

// Automation switches the protections of file: URLs off; a visitor's Firefox has them on.
const VISITOR = { "security.fileuri.strict_origin_policy": true, "remote.prefs.recommended": false };
// The network is cut but for this machine, and the browser's own errands are off.
const QUIET = {
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 9,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 9,
  "network.proxy.no_proxies_on": "127.0.0.1",
  "app.update.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.aboutwelcome.enabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.telemetry.enabled": false,
};

const pages = new Map();
let browser;

// What the page of every tab keeps for the tests, from its first script on.
function watch() {
  globalThis.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => globalThis.violations.push(event.violatedDirective));
}

async function open({ page }) {
  const context = await browser.createBrowserContext();
  const tab = await context.newPage();
  const seen = { tab, context, requests: [], console: [] };
  tab.on("request", (request) => seen.requests.push(request.url()));
  tab.on("pageerror", (error) => seen.console.push(String(error)));
  await tab.evaluateOnNewDocument(watch);
  pages.set(page, seen);
}

const operations = {
  open,
  goto: async ({ page, url }) => void (await pages.get(page).tab.goto(url, { waitUntil: "load" })),
  evaluate: ({ page, code, argument }) => pages.get(page).tab.evaluate(`(${code})(${JSON.stringify(argument)})`),
  inside: ({ page, code, argument }) => {
    const frame = pages.get(page).tab.frames().filter((each) => each.parentFrame()).at(-1);
    return frame ? frame.evaluate(`(${code})(${JSON.stringify(argument)})`) : null;
  },
  press: ({ page, key }) => pages.get(page).tab.keyboard.press(key),
  requests: ({ page }) => pages.get(page).requests,
  errors: ({ page }) => pages.get(page).console,
  close: async ({ page }) => {
    await pages.get(page).context.close();
    pages.delete(page);
  },
};

function reply(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function main() {
  browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.argv[2],
    headless: true,
    extraPrefsFirefox: { ...QUIET, ...VISITOR },
  });
  reply({ value: await browser.version() });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    if (request.op === "quit") break;
    try {
      reply({ value: (await operations[request.op](request)) ?? null });
    } catch (error) {
      reply({ error: String(error) });
    }
  }
  await Promise.race([browser.close(), new Promise((resolve) => setTimeout(resolve, 5000))]);
  browser.process()?.kill("SIGKILL");
  process.exit(0);
}

main().catch((error) => {
  reply({ error: String(error) });
  process.exit(1);
});
