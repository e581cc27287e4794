"""Milliseconds in Chromium: `chromium.py SITE LANG` reads questions as JSON and writes a list as JSON.

The first number is the start of the engine until it is ready, then one for each question, asked one after the
other through the page's own scripts, from a folder. CAIRN_CHROMIUM names the browser.
"""

import json
import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SCRIPTS = ("bytes", "sha256", "inflate", "hosts", "engine")
LOAD = """(name) => new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.src = `../assets/js/${name}.js`;
  script.onload = () => resolve(cairn.scripts[`${name}.js`]());
  script.onerror = reject;
  document.head.append(script);
})"""
ASK = """([questions, lang]) => new Promise((resolve, reject) => {
  const spent = [];
  let since = performance.now();
  const lap = () => {
    spent.push(performance.now() - since);
    if (spent.length > questions.length) return resolve(spent);
    const question = questions[spent.length - 1];
    since = performance.now();
    engine.ask({ question, lang, interface: lang });
  };
  const engine = cairn.createEngine({
    limits: { watchdog: 600000, question: 600000 },
    onState: (state) => {
      if (state.name === "failed") reject(new Error(JSON.stringify(state.failure)));
      if (state.name === "ready" && !spent.length) lap();
    },
    onAnswer: () => setTimeout(lap),
  });
  engine.start();
})"""


def main(site: Path, lang: str) -> None:
    browser = os.environ.get("CAIRN_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"]).new_page()
        page.set_default_timeout(0)
        page.goto(f"{site.resolve().as_uri()}/{lang}/contents.html")
        for name in SCRIPTS:
            page.evaluate(LOAD, name)
        sys.stdout.write(json.dumps(page.evaluate(ASK, [json.load(sys.stdin), lang])))


main(Path(sys.argv[1]), sys.argv[2])
