// Stylelint's rules for the page's CSS: faults, and the layout of the code, which `stylelint --fix` mends.

export default {
  extends: "stylelint-config-recommended",
  plugins: ["@stylistic/stylelint-plugin"],
  rules: {
    "no-descending-specificity": null, // one rule a line; the parts of the page follow each other in a file
    "@stylistic/block-opening-brace-space-before": "always",
    "@stylistic/color-hex-case": "lower",
    "@stylistic/declaration-block-semicolon-space-after": "always-single-line",
    "@stylistic/declaration-block-trailing-semicolon": "always",
    "@stylistic/declaration-colon-space-after": "always",
    "@stylistic/declaration-colon-space-before": "never",
    "@stylistic/indentation": 2,
    "@stylistic/max-empty-lines": 1,
    "@stylistic/no-eol-whitespace": true,
    "@stylistic/number-leading-zero": "always",
    "@stylistic/selector-combinator-space-after": "always",
    "@stylistic/selector-combinator-space-before": "always",
    "@stylistic/selector-list-comma-space-after": "always-single-line",
    "@stylistic/string-quotes": "double",
    "@stylistic/unit-case": "lower",
    "@stylistic/value-list-comma-space-after": "always-single-line",
  },
};
