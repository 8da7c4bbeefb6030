declare module "plotly.js-cartesian-dist-min" {
  export * from "plotly.js";
}
