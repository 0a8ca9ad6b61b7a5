/**
 * Looking through the texts of a definition for what is meant for a model and not for a person. It warns and never
 * blocks: the wording of an attack can always be changed.
 * @module
 */

/** What a text looks like. */
export interface Suspicion {
  /** A stable snake_case word for programs. */
  readonly code: string;
  /** What the text seems to do, for people. */
  readonly what: string;
}

interface Pattern extends Suspicion {
  readonly pattern: RegExp;
}

// Every gap is bounded, so that time stays linear in the length of the text.
const PATTERNS: readonly Pattern[] = [
  {
    code: "overrules_instructions",
    what: "tells the model to set earlier instructions aside",
    pattern:
      /\b(?:ignor|disregard|forget|overrid|overrul|bypass)\w*\b[^.]{0,40}\b(?:previous|prior|earlier|above|preceding|existing|system|all|any|other)\b[^.]{0,30}\b(?:instruction|prompt|rule|message|guideline|directive|polic)/i,
  },
  {
    code: "hides_from_user",
    what: "tells the model to keep something from its user",
    pattern:
      /\b(?:do not|don['’]t|never|without|must not|avoid)\b[^.]{0,25}\b(?:tell|inform|mention|show|reveal|notif|alert|disclos|ask)\w*[^.]{0,30}\b(?:user|human|person|operator|anyone)\b/i,
  },
  {
    code: "acts_in_secret",
    what: "tells the model to act in secret",
    pattern:
      /\b(?:secretly|covertly|stealthily|keep (?:this|it|that) (?:a )?(?:secret|hidden|confidential)|(?:user|human)s? (?:must|should|may|need) not (?:know|see|notice|be told))\b/i,
  },
  {
    code: "sends_elsewhere",
    what: "tells the model to send something to an address",
    pattern:
      /\b(?:send|post|upload|forward|transmit|exfiltrat|leak|e-?mail|report)\w*\b[^.]{0,60}\b(?:to|at|via)\b[^.]{0,20}(?:https?:\/\/|[\w.+-]{1,64}@[\w-]{1,64}\.\w)/i,
  },
  {
    code: "role_tags",
    what: "holds marks that set one speaker apart from another",
    pattern:
      /<\/?(?:system|assistant|user|developer|human|instructions?|important|secret|admin)(?:[\s:_-][^<>]{0,40})?>|<\|[a-z_]{2,20}\|>|\[\/?(?:INST|SYS|SYSTEM)\]|<<\/?SYS>>|(?:^|\n)\s{0,8}#{0,3}\s{0,4}(?:system|assistant|developer)\s{0,4}(?:message|prompt)?\s{0,4}:/i,
  },
  {
    code: "changes_identity",
    what: "tells the model to be somebody else",
    pattern:
      /\byou are (?:now|no longer)\b|\bfrom now on\b[^.]{0,20}\byou\b|\b(?:act|behave|respond|pretend)\b[^.]{0,20}\bas (?:if you were |though you were )?(?:an? |the )?(?:system|root|admin\w*|developer|unrestricted)\b|\b(?:developer|jailbreak|god) mode\b/i,
  },
  {
    code: "steers_other_tools",
    what: "speaks of when or how to use other tools",
    pattern:
      /\b(?:before|after|instead of|whenever|prior to)\b[^.]{0,30}\b(?:us(?:e|ing)|call(?:ing)?|run(?:ning)?|invok(?:e|ing)|execut(?:e|ing))\b[^.]{0,30}\b(?:any|every|each|all|another|other)\b[^.]{0,15}\b(?:tool|function|command)/i,
  },
  {
    code: "reads_secrets",
    what: "names files where people keep keys and passwords",
    pattern:
      /(?:~|\$HOME|%USERPROFILE%)[\\/]\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|config)\b|\bid_(?:rsa|ed25519|ecdsa)\b|\.aws[\\/]credentials|\/etc\/(?:shadow|passwd)\b|\bmcp\.json\b/i,
  },
  {
    code: "takes_conversation",
    what: "tells the model to hand over its conversation or its instructions",
    pattern:
      /\b(?:include|pass|append|attach|copy|put|provide|insert|summari[sz]e|repeat|print|reveal)\w*\b[^.]{0,50}\b(?:(?:entire|full|whole|complete|previous)[^.]{0,15}\b(?:conversation|chat|context|history|messages?)|chat history|conversation history|system (?:prompt|message)|your instructions)\b/i,
  },
  {
    code: "commands_model",
    what: "commands the model to do something first or always",
    pattern:
      /\b(?:you|the (?:assistant|model|agent|ai|llm))\b[^.]{0,10}\b(?:must|have to|need to|are required to|shall)\b[^.]{0,25}\b(?:always|first|immediately|at once|every time)\b/i,
  },
  {
    code: "hidden_markup",
    what: "holds a comment that is not shown where the text is rendered",
    pattern:
      /<!--(?!\s{0,8}-->)|<[a-z][^<>]{0,200}\b(?:display\s{0,4}:\s{0,4}none|font-size\s{0,4}:\s{0,4}0)/i,
  },
  {
    code: "encoded_text",
    what: "holds a long encoded text",
    pattern: /(?:[A-Za-z0-9+/]{4}){50,}={0,2}|(?:\\x[0-9a-f]{2}){20,}|(?:%[0-9a-f]{2}){20,}/i,
  },
];

/**
 * Says what a text of a definition looks like.
 *
 * @param text The text, hidden characters taken out.
 * @returns The suspicions, each once; usually none.
 */
export function suspicionsIn(text: string): readonly Suspicion[] {
  return PATTERNS.filter(({ pattern }) => pattern.test(text)).map(({ code, what }) => ({
    code,
    what,
  }));
}
