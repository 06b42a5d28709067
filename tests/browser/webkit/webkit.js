// memfit - SPDX-License-Identifier: Apache-2.0
//
// WebKitGTK's MiniBrowser by W3C WebDriver over HTTP: the few commands that the tests need. It needs a display.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { listening, portOf } from "../browser.js";

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function freePort() {
  const server = createServer();
  await listening(server);
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Debian keeps it in /usr/lib/ARCHITECTURE/webkit2gtk-VERSION. */
function miniBrowser() {
  for (const architecture of readdirSync("/usr/lib").filter((name) =>
    name.endsWith("-linux-gnu"),
  )) {
    const folder = `/usr/lib/${architecture}`;
    const version = readdirSync(folder).find((name) => name.startsWith("webkit2gtk-"));
    if (version) return `${folder}/${version}/MiniBrowser`;
  }
  throw new Error("no WebKitGTK in /usr/lib");
}

/** Starts driver and browser; gives the commands below. */
export async function launchWebKit() {
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], { stdio: "ignore" });
  const call = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: body && JSON.stringify(body),
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
  for (let tries = 100; ; tries--) {
    try {
      await call("GET", "/status");
      break;
    } catch (error) {
      if (tries === 0) throw error;
      await sleep(100);
    }
  }
  const options = { binary: miniBrowser(), args: ["--automation"] };
  const { sessionId, capabilities } = await call("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } },
  });
  const session = `/session/${sessionId}`;
  return {
    version: capabilities.browserVersion,
    goto: (url) => call("POST", `${session}/url`, { url }),
    /** Calls `use` in the page, with arguments that JSON can hold. */
    evaluate: (use, ...args) =>
      call("POST", `${session}/execute/sync`, { script: `return (${use})(...arguments)`, args }),
    async waitFor(use, ...args) {
      for (const end = Date.now() + 30000; ;) {
        if (await this.evaluate(use, ...args)) return;
        if (Date.now() > end) throw new Error(`not within 30 s: ${use}`);
        await sleep(100);
      }
    },
    click: (x, y) =>
      call("POST", `${session}/actions`, {
        actions: [
          {
            type: "pointer",
            id: "mouse",
            parameters: { pointerType: "mouse" },
            actions: [
              { type: "pointerMove", duration: 0, x, y },
              { type: "pointerDown", button: 0 },
              { type: "pointerUp", button: 0 },
            ],
          },
        ],
      }),
    screenshot: async () => Buffer.from(await call("GET", `${session}/screenshot`), "base64"),
    async close() {
      await call("DELETE", session);
      driver.kill();
    },
  };
}
