/** Where the fixtures of the conformance suite are, and a runtime over them. */
import type { ElicitRequest, SampleRequest } from "../../core/context.ts";
import type { InputMethod, InputSurface } from "../../core/input.ts";
import { fileURLToPath } from "node:url";
import { startRuntime, type TestRuntime } from "../runtime/_runtime.ts";

/** The folder of the fixture tools. */
export const FIXTURE_TOOLS = fileURLToPath(
  new URL("../fixtures/conformance/tools", import.meta.url),
);

/** Makes a runtime over the fixtures; a deadline for none of its calls is near. */
export function startFixtures(): Promise<TestRuntime> {
  return startRuntime({ roots: [FIXTURE_TOOLS] });
}

/** A question that a fixture asked: its method, its key and what it asked. */
export type Asked = readonly [
  method: InputMethod,
  key: string,
  request: ElicitRequest | SampleRequest | undefined,
];

/** A surface that answers, and remembers what it was asked. */
export interface RecordingSurface {
  readonly surface: InputSurface;
  readonly asked: Asked[];
}

/** What a {@linkcode RecordingSurface} answers with. */
export interface Answers {
  /** The content of an accepted answer, by key; what is not named is declined. */
  readonly people?: { readonly [key: string]: { readonly [field: string]: string | boolean } };
  /** What the model says; without it there is no model. */
  readonly model?: string;
  /** Where the caller works; without it the caller does not tell. */
  readonly roots?: readonly string[];
}

/** Makes a surface that answers as it is told. */
export function answerWith({ people, model, roots }: Answers): RecordingSurface {
  const asked: Asked[] = [];
  const surface: InputSurface = {
    ...(people && {
      elicit: ({ key: _, ...request }, { key }) => {
        asked.push(["elicitation/create", key, request]);
        const content = people[key];
        return Promise.resolve(content ? { action: "accept", content } : { action: "decline" });
      },
    }),
    ...(model !== undefined && {
      sample: ({ key: _, ...request }, { key }) => {
        asked.push(["sampling/createMessage", key, request]);
        const content = { type: "text", text: model };
        return Promise.resolve({ role: "assistant", content, model: "test-model" });
      },
    }),
    ...(roots && {
      listRoots: ({ key }) => {
        asked.push(["roots/list", key, undefined]);
        return Promise.resolve(roots.map((uri) => ({ uri })));
      },
    }),
  };
  return { surface, asked };
}
