import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { sample } from "./sample.mjs";

// The page is built without data: whoever has results puts them in the place of this text, with every < in them written
// as \u003c, so that no text in them can end the script element. src/report/page.cpp does so. A build makes one page:
// that of the study, or with --mode map that of a capability map.
const PLACE = "@THUD_RESULTS@";

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
      for (const file of Object.values(bundle))
        if (file.fileName.endsWith(".html") && file.source.split(PLACE).length !== 2)
          this.error(`${file.fileName}: ${PLACE} must occur exactly once`);
    },
  },
};

export default defineConfig(({ mode }) => ({
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), results],
  server: { open: "/report.html", fs: { allow: [".."] } },
  build: {
    target: "es2022",
    emptyOutDir: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: { input: mode === "map" ? "map.html" : "report.html" },
  },
}));
