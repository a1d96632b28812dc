// What is wrong with a text or a value that should be JSON.

// biome-ignore format: one line each
export const JSON_FAULTS = {
  "json.after_end": "there is text after the end of the value",
  "json.too_deep": "nested deeper than {max} levels",
  "json.key_missing": "a key in quotes is missing",
  "json.key_twice": "the key {key} is there twice",
  "json.colon_missing": "a colon is missing",
  "json.comma_or_brace": "a comma or a closing brace is missing",
  "json.comma_or_bracket": "a comma or a closing bracket is missing",
  "json.text_not_closed": "the closing quote of a text is missing",
  "json.control_character": "a text contains a control character; write it as an escape",
  "json.escape": "this escape is not JSON",
  "json.half_surrogate": "a text has half of a surrogate pair",
  "json.ends_early": "the JSON ends too early",
  "json.value_missing": "a value is missing",
  "json.number_too_large": "{number} is too large for a number",
  "json.number_not_exact": "{number} is larger than a number can hold exactly; pass it as text",
  "json.number_too_exact": "{number} has too many digits for a number; pass it as text",
  "json.unreadable": "it cannot be read: {error}",
  "json.key_half_surrogate": "a key has half of a surrogate pair",
  "json.not_json": "{kind} is not JSON",
  "json.contains_itself": "the value contains itself",
  "json.not_json_number": "{number} is not a JSON number",
  "json.not_plain": "{kind} is not plain JSON",
  "json.an_object": "an object",
} as const;
