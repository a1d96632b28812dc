import type { JSON_FAULTS as ENGLISH } from "../en/json.ts";

// What is wrong with a text or a value that should be JSON, in Chinese.

// biome-ignore format: one line each
export const JSON_FAULTS: { readonly [Id in keyof typeof ENGLISH]: string } = {
  "json.after_end": "值的末尾之后还有内容",
  "json.too_deep": "嵌套超过{max}层",
  "json.key_missing": "缺少带引号的键",
  "json.key_twice": "键{key}出现了两次",
  "json.colon_missing": "缺少冒号",
  "json.comma_or_brace": "缺少逗号或右花括号",
  "json.comma_or_bracket": "缺少逗号或右方括号",
  "json.text_not_closed": "文本没有结束引号",
  "json.control_character": "文本中有控制字符，请写成转义",
  "json.escape": "此转义不属于 JSON",
  "json.half_surrogate": "文本含有半个代理对",
  "json.ends_early": "文本过早结束",
  "json.value_missing": "缺少值",
  "json.number_too_large": "{number}超出数字范围",
  "json.number_not_exact": "{number}过大，无法精确表示；请以文本传递",
  "json.number_too_exact": "{number}的位数过多；请以文本传递",
  "json.unreadable": "无法读取：{error}",
  "json.key_half_surrogate": "键含有半个代理对",
  "json.not_json": "{kind}不是 JSON",
  "json.contains_itself": "该值包含自身",
  "json.not_json_number": "{number}不是 JSON 数字",
  "json.not_plain": "{kind}不是普通 JSON",
  "json.an_object": "对象",
};
