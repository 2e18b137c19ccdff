// The default of every `t`: the English text itself, with its fields filled.

export function filled(text, fields = {}) {
  return text.replace(/{(\w+)}/g, (all, name) => (name in fields ? String(fields[name]) : all));
}
