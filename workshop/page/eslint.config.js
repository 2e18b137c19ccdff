// The rules for the page's JavaScript. `make lint` runs them from the root; undefined names are found by tsc.

import js from "@eslint/js";

export default [
  js.configs.recommended,
  {rules: {
    "no-undef": "off",
    "curly": ["error", "multi-line"],
    "eqeqeq": "error",
    "no-else-return": "error",
    "no-shadow": "error",
    "no-var": "error",
    "object-shorthand": "error",
    "prefer-const": "error",
    "prefer-template": "error",
  }},
];
