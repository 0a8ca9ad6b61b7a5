/**
 * What a client can be asked.
 * @module
 */
import type { ClientCapabilities } from "@modelcontextprotocol/server";
import type { InputMethod } from "../../core/input.ts";

const REQUIRED: Readonly<Record<InputMethod, ClientCapabilities>> = {
  "elicitation/create": { elicitation: { form: {} } },
  "sampling/createMessage": { sampling: {} },
  "roots/list": { roots: {} },
};

/**
 * Whether a client declared what a kind of question needs.
 *
 * @param capabilities What it declared.
 * @param method The kind of question.
 * @returns True when it may be asked.
 */
export function canAsk(
  capabilities: ClientCapabilities | undefined,
  method: InputMethod,
): boolean {
  switch (method) {
    case "elicitation/create":
      return asksByForm(capabilities?.elicitation);
    case "sampling/createMessage":
      return capabilities?.sampling !== undefined;
    case "roots/list":
      return capabilities?.roots !== undefined;
    default:
      return method satisfies never;
  }
}

/**
 * What a client would have to declare to be asked.
 *
 * @param methods The kinds of questions.
 * @returns The capabilities.
 */
export function capabilitiesFor(methods: Iterable<InputMethod>): ClientCapabilities {
  return Object.assign({}, ...[...methods].map((method) => REQUIRED[method]));
}

// Without a mode it means forms, as before there were modes.
function asksByForm(elicitation: ClientCapabilities["elicitation"]): boolean {
  return elicitation !== undefined &&
    (elicitation.form !== undefined || elicitation.url === undefined);
}
