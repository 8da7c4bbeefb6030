// Requests to the program that served this page: the commands' options go in, what their --json prints comes out.
import type { Job } from "../../generated/studio";

/** What the program refuses, in its own words. */
export class Refusal extends Error {
  constructor(readonly argument: string | null, message: string) {
    super(message);
  }
}

/** The program does not answer, or was started anew and does not know this page. */
export class Away extends Error {}
export const LOST = "The computation is lost, since the program ended: start it again.";

export type Connection = "here" | "away" | "anew";

// This tab; not kept anywhere, since a tab that is duplicated copies what is kept.
const PAGE = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const headers = { "X-Thud-Page": PAGE };
const RETRY = 700; // [ms]

let connection: Connection = "here";
const watchers: ((state: Connection) => void)[] = [];

/** Called at every change: the program is gone, or is there again. */
export function watchConnection(watcher: (state: Connection) => void): void {
  watchers.push(watcher);
}

function setConnection(state: Connection): void {
  if (state === connection) return;
  const lost = connection === "here";
  connection = state;
  for (const watcher of watchers) watcher(state);
  if (lost) window.setTimeout(look, RETRY);
}

// Until the program answers again.
async function look(): Promise<void> {
  try {
    const answer = await fetch("/api/studio", { cache: "no-store" });
    setConnection(answer.status === 401 ? "anew" : "here");
  } catch {
    setConnection("away");
  }
  if (connection !== "here") window.setTimeout(look, RETRY);
}

async function send(path: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, { cache: "no-store", ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    setConnection("away");
    throw new Away("the program does not answer");
  }
  if (response.status === 401) {
    setConnection("anew");
    throw new Away("the program was started anew");
  }
  setConnection("here");
  let answer: { error?: { message?: string; argument?: string | null } | null };
  try {
    answer = (await response.json()) as typeof answer;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refusal(null, `${path}: ${response.status} ${response.statusText}`);
  }
  if (!response.ok) throw new Refusal(answer.error?.argument ?? null, answer.error?.message ?? `${path}: ${response.status}`);
  return answer;
}

export const get = async <Answer>(path: string, signal?: AbortSignal): Promise<Answer> => (await send(path, signal ? { signal } : {})) as Answer;

export async function post<Answer>(path: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
  const init: RequestInit = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return (await send(path, signal ? { ...init, signal } : init)) as Answer;
}

/** A file that the user opened or dropped. */
export async function upload<Answer>(name: string, bytes: Blob): Promise<Answer> {
  return (await send(`/api/files?name=${encodeURIComponent(name)}`, { method: "POST", headers, body: bytes })) as Answer;
}

export async function bytesOf(path: string): Promise<ArrayBuffer> {
  const response = await fetch(path);
  if (!response.ok) throw new Refusal(null, `${path}: ${response.status}`);
  return response.arrayBuffer();
}

const remove = (path: string, keepalive = false): void => void fetch(path, { method: "DELETE", headers, keepalive }).catch(() => undefined);

/** A file that was dropped is wanted no more. */
export const closeFile = (id: string): void => remove(`/api/files/${id}`);

/** Long work: asked after until it is done; ended on the program's side too when the signal says so. */
export async function work<Answer>(path: string, body: unknown, signal: AbortSignal, progress: (share: number | null) => void = () => undefined): Promise<Answer> {
  let job = await post<Job>(`${path}?wait=50`, body); // not given up before the answer, which says what there is to cancel
  const cancel = (): void => remove(`/api/jobs/${job.job}`);
  if (signal.aborted) cancel();
  signal.throwIfAborted();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    while (job.state === "queued" || job.state === "running") {
      progress(job.total > 0 ? job.done / job.total : null);
      job = await get<Job>(`/api/jobs/${job.job}?wait=250`, signal);
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  if (job.state !== "done") throw new Refusal(job.error?.argument ?? null, job.error?.message ?? "cancelled");
  return job.answer as Answer;
}

// What this tab still has at work is wanted no more.
window.addEventListener("pagehide", () => remove("/api/jobs", true));
