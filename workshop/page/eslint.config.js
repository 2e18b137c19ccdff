// ESLint's rules for the page's JavaScript: faults, and the layout of the code, which `eslint --fix` mends. tsc finds
// undefined names. `make lint` runs ESLint from the root.

import js from "@eslint/js";
import stylistic from "@stylistic/eslint-plugin";

export default [
  js.configs.recommended,
  {
    plugins: {stylistic},
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
      "stylistic/array-bracket-spacing": "error",
      "stylistic/arrow-parens": "error",
      "stylistic/arrow-spacing": "error",
      "stylistic/block-spacing": "error",
      "stylistic/brace-style": ["error", "1tbs", {allowSingleLine: true}],
      "stylistic/comma-dangle": ["error", "only-multiline"],
      "stylistic/comma-spacing": "error",
      "stylistic/eol-last": "error",
      "stylistic/function-call-spacing": "error",
      "stylistic/indent": ["error", 2],
      "stylistic/key-spacing": "error",
      "stylistic/keyword-spacing": "error",
      "stylistic/max-len": ["error", {code: 160, ignorePattern: '^ +\\w+: "M'}], // the paths of icons
      "stylistic/no-multi-spaces": "error",
      "stylistic/no-trailing-spaces": "error",
      "stylistic/object-curly-spacing": "error",
      "stylistic/quotes": ["error", "double"],
      "stylistic/semi": "error",
      "stylistic/semi-spacing": "error",
      "stylistic/space-before-blocks": "error",
      "stylistic/space-in-parens": "error",
      "stylistic/space-infix-ops": "error",
      "stylistic/template-curly-spacing": "error",
    },
  },
];
