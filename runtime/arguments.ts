/**
 * A call's arguments: reading, checking, and telling the model what is wrong with them.
 * @module
 */
export { describeIssues } from "./arguments/describe_issues.ts";
export { checkArguments } from "./arguments/check_arguments.ts";
export { parseArguments, type ParsedArguments } from "./arguments/parse_arguments.ts";
export { prepareArguments, type PreparedArguments } from "./arguments/prepare_arguments.ts";
