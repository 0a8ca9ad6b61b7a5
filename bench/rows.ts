/**
 * The rows of the benchmark, by id.
 * @module
 */

/** The file of each row in `rows/`. */
export const ROWS: Readonly<Record<string, string>> = Object.freeze({
  P1: "p01_cold_scan.ts",
  P2: "p02_warm_discovery.ts",
  P3: "p03_discovery_growth.ts",
  P4: "p04_snapshot_get.ts",
  P5: "p05_definitions.ts",
  P6: "p06_register_growth.ts",
  P7: "p07_generation_swap.ts",
  P8: "p08_in_process_call.ts",
  P9: "p09_warm_call.ts",
  P10: "p10_throughput.ts",
  P11: "p11_cold_call.ts",
  P12: "p12_inline_dispatch.ts",
  P13: "p13_large_results.ts",
  P14: "p14_deadline.ts",
  P15: "p15_memory.ts",
  P16: "p16_cli_list.ts",
  P17: "p17_heap_per_entry.ts",
  P18: "p18_mcp_stdio_call.ts",
  P19: "p19_mcp_http_call.ts",
  P20: "p20_mcp_list.ts",
  P21: "p21_table_size.ts",
});
