// Only the newest request of a purpose counts: at most one is in flight, and of those that come meanwhile the last waits.

export interface Latest<Question> {
  /** Asks now, or as soon as the one in flight is answered; whatever waited until now is forgotten. */
  ask: (question: Question) => void;
  /** Ends what is in flight and forgets what waits. */
  cancel: () => void;
  /** Whether nothing is in flight and nothing waits. */
  idle: () => boolean;
}

export interface Handlers<Question, Answer> {
  send: (question: Question, signal: AbortSignal) => Promise<Answer>;
  answered: (answer: Answer, question: Question) => void;
  failed: (error: unknown, question: Question) => void;
  /** How long one in flight may go on once another waits [ms]; 0: it is ended at once. */
  patience: number;
}

export function latest<Question, Answer>({ send, answered, failed, patience }: Handlers<Question, Answer>): Latest<Question> {
  let flight: AbortController | null = null;
  let waiting: { question: Question } | null = null;
  let timer = 0;

  // The next one starts when this one is answered, has failed or has been ended.
  async function start(question: Question): Promise<void> {
    const own = new AbortController();
    flight = own;
    try {
      const answer = await send(question, own.signal);
      if (!own.signal.aborted) answered(answer, question);
    } catch (error) {
      if (!own.signal.aborted) failed(error, question);
    }
    flight = null;
    window.clearTimeout(timer);
    timer = 0;
    const after = waiting;
    waiting = null;
    if (after) void start(after.question);
  }

  const abort = (): void => flight?.abort();

  return {
    ask(question) {
      if (!flight) return void start(question);
      waiting = { question };
      if (patience === 0) abort();
      else if (timer === 0) timer = window.setTimeout(abort, patience);
    },
    cancel() {
      waiting = null;
      abort();
    },
    idle: () => flight === null && waiting === null,
  };
}
