// ESLint's rules for the page's JavaScript: faults, and the layout of the code, which `eslint --fix` mends. tsc finds
// undefined names. `make lint` runs ESLint from the root.

import js from "@eslint/js";
import stylistic from "@stylistic/eslint-plugin";

export default [
  js.configs.recommended,
  stylistic.configs.customize({indent: 2, quotes: "double", semi: true, arrowParens: true, braceStyle: "1tbs", commaDangle: "only-multiline"}),
  {
    rules: {
      "no-undef": "off",
      "curly": ["error", "multi-line"],
      "eqeqeq": "error",
      "no-else-return": "error",
      "no-shadow": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "@stylistic/max-len": ["error", {code: 160, ignorePattern: "^ +\\w+: \"M"}], // the paths of icons
      "@stylistic/max-statements-per-line": "off",
      "@stylistic/multiline-ternary": "off",
      "@stylistic/no-mixed-operators": "off",
      "@stylistic/object-curly-spacing": ["error", "never"],
      "@stylistic/operator-linebreak": "off",
      "@stylistic/quote-props": "off",
    },
  },
];
