import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { sample } from "./sample.mjs";

// The page is built without data: whoever has results puts them in the place of this text, with every < in them written
// as \u003c, so that no text in them can end the script element. src/report/page.cpp does so. A build makes one page:
// that of the study, with --mode map or sweep that of a capability map or of a sweep, or with --mode studio that of the
// studio, which asks the program that serves it for its data and gets a nonce for its script at every load.
const PLACE = "@THUD_RESULTS@";
const NONCE = "@THUD_NONCE@";
const PAGES = { map: "map.html", sweep: "sweep.html", studio: "studio.html" };

const results = {
  name: "results",
  transformIndexHtml: {
    order: "pre",
    // While developing, the page shows the sample.
    handler: (html, { server }) =>
      server ? html.replace(PLACE, () => JSON.stringify(sample()).replaceAll("<", "\\u003c")) : html,
  },
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      for (const file of Object.values(bundle).filter(({ fileName }) => fileName.endsWith(".html"))) {
        const scripts = file.source.match(/<script[^>]*>(?=[^])/g) ?? [];
        if (file.fileName === PAGES.studio ? !scripts[0]?.includes(`nonce="${NONCE}"`) : file.source.split(PLACE).length !== 2)
          this.error(`${file.fileName}: ${file.fileName === PAGES.studio ? NONCE : PLACE} must be in its place`);
      }
    },
  },
};

export default defineConfig(({ mode }) => ({
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), results],
  html: mode === "studio" ? { cspNonce: NONCE } : {},
  server: { open: "/report.html", fs: { allow: [".."] } },
  build: {
    target: "es2022",
    emptyOutDir: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: { input: PAGES[mode] ?? "report.html" },
  },
}));
