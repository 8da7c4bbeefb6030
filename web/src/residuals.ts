// What each fit leaves over of a trial's record: noise, or something with a shape of its own, such as hum or a second hump.
import type { Residuals, Results, Trial } from "../generated/results";
import { line, panels, type Data } from "./chart";
import { known, type Maybe } from "./maybe";
import { number, percent } from "./text";
import { elasticArmLook, lawLook, type Look, type Theme } from "./theme";

const IMPROBABLE = 0.001; // of so few runs in white noise

interface Left {
  look: Look;
  residuals: Residuals;
}

/** Of every fit that converged, the elastic arm last. */
function leftOver(results: Results, trial: Trial): Left[] {
  const all = results.laws.flatMap(({ name }): Left[] => {
    const residuals = trial.laws[name]?.residuals;
    return residuals ? [{ look: lawLook(results, name), residuals }] : [];
  });
  const arm = trial.elastic_arm?.residuals;
  return arm ? [...all, { look: elasticArmLook(), residuals: arm }] : all;
}

export const hasResiduals = (results: Results, trial: Trial): boolean => leftOver(results, trial).some(({ residuals }) => residuals.spectrum.length > 0);

const probability = (p: Maybe): string => (known(p) && p < IMPROBABLE ? `p < ${IMPROBABLE}` : `p = ${number(p, 2)}`);

/** The runs test in a few words. */
export const runsText = ({ runs, expected_runs, runs_p }: Residuals): string => (known(expected_runs) ? `${runs} of ${number(expected_runs, 3)}, ${probability(runs_p)}` : number(null));

/** The sine that explains most. */
export const sineText = ({ frequency, frequency_share }: Residuals): string => (known(frequency) ? `${number(frequency, 3)} Hz, ${percent(frequency_share)}` : number(null));

/** A sentence each about the best law and the elastic arm. */
export function residualSentences(results: Results, trial: Trial): string[] {
  const best = trial.best ? lawLook(results, trial.best).name : "";
  return leftOver(results, trial)
    .filter(({ look }) => look.name === best || look.name === elasticArmLook().name)
    .map(({ look, residuals }) => {
      const shaped = known(residuals.runs_p) && residuals.runs_p < IMPROBABLE;
      return `What ${look.name === best ? `the best law, ${best},` : "the elastic arm"} leaves over ${shaped ? "has a shape of its own" : "looks like noise"}: runs of one sign ${runsText(residuals)}; strongest sine ${sineText(residuals)} of the squares.`;
    });
}

/** How much of what is left over a sine explains, over its frequency. */
export function spectrumPanel(results: Results, trial: Trial, width: number, colours: Theme) {
  const all = leftOver(results, trial).filter(({ residuals }) => residuals.spectrum.length > 0);
  const drawing = panels(width, colours, {
    titles: [""], x: "frequency [Hz]", y: "share of the squares [1]", height: 220, minWidth: 200, legend: all.map(({ look }) => look.name), fromZero: true,
  });
  const data = all.map(({ look, residuals }): Data => ({
    type: "scatter", mode: "lines+markers", name: look.name, ...drawing.at(0), showlegend: true,
    x: residuals.spectrum.map((_, k) => (k + 1) * (residuals.resolution ?? 0)), y: residuals.spectrum,
    line: line(look), marker: { size: 5, color: look.colour, symbol: look.symbol },
    hovertemplate: `%{x:.0f} Hz: %{y:.3f}<extra>${look.name}</extra>`,
  } as Data));
  return { data, layout: drawing.layout };
}
