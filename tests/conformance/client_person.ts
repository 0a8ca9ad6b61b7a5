/** The person beside the client under test: signs in when the product says that it must. */
import { login } from "../../mcp/oauth/login.ts";
import { OAuthStore } from "../../mcp/oauth/oauth_store.ts";
import type { OAuthConfig } from "../../mcp/oauth/oauth_provider.ts";
import type { JsonObject } from "../../core/json.ts";

/** The address that the suite knows as this client's metadata document. */
const METADATA_URL = "https://conformance-test.local/client-metadata.json";
/** A server that is never content must not be asked for ever. */
const MAX_LOGINS = 2;

/** What the suite tells a scenario's client. */
export interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

/** What a person knows. */
export interface PersonOptions {
  readonly name: string;
  readonly url: string;
  readonly folder: string;
  readonly scenario: string;
  readonly context: Context;
}

/** Signs in with the very function behind `cloister mcp login`; the browser is a fetch. */
export class Person {
  readonly config: OAuthConfig | undefined;
  readonly #options: PersonOptions;
  #logins = 0;

  constructor(options: PersonOptions) {
    this.#options = options;
    this.config = configOf(options);
  }

  canHelp(message: string): boolean {
    return message.includes(`cloister mcp login ${this.#options.name}`);
  }

  async help(message: string): Promise<void> {
    if (!this.canHelp(message) || this.#logins === MAX_LOGINS) throw new Error(message);
    this.#logins++;
    const { name, url, folder } = this.#options;
    await login({
      name,
      serverUrl: url,
      store: new OAuthStore(folder),
      ...(this.config && { config: this.config }),
      openBrowser: async (page) => {
        await (await fetch(page)).body?.cancel();
      },
      timeoutMs: 10_000,
    });
  }
}

function configOf({ scenario, context }: PersonOptions): OAuthConfig | undefined {
  if (scenario === "auth/basic-cimd") return { clientId: METADATA_URL };
  const { client_id: clientId, client_secret: clientSecret } = context;
  if (clientId === undefined) return undefined;
  return { clientId, ...(clientSecret !== undefined && { clientSecret }) };
}
