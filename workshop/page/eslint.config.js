// ESLint's rules for the page's JavaScript. `make lint` runs ESLint from the root. tsc finds undefined names.

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
