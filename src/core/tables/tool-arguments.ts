// Arguments of tools for files and pages that change neither which files are meant nor what happens to them: data only.

/** What every such tool may take: where in a file, how much of it, and words for people. */
export const USUAL_ARGUMENTS =
  "offset limit head tail start end line lines line_number line_count line_range line_ranges start_line end_line line_start line_end " +
  "start_line_one_indexed end_line_one_indexed_inclusive start_line_number_base_zero end_line_number_base_zero view_range range ranges " +
  "indentation encoding format recursive depth max_depth max_results max_lines max_bytes max_count head_limit count timeout timeout_ms " +
  "description explanation reason justification summary title thought goal purpose message note task_progress tool_call_id call_id id " +
  "toolaction toolsummary instruction instructions mode";

/** What tools take that look into files and pages: what they look for, and how they tell what they found. */
export const LOOKING_ARGUMENTS =
  "pattern patterns query queries regex search search_term text keyword keywords names symbol symbol_name symbols kind severity " +
  "type types file_type file_types extension extensions output_mode -A -B -C -n -i -o context before after context_lines lines_before lines_after " +
  "multiline case_sensitive ignore_case is_regex is_regexp literal fixed_strings whole_word " +
  "exclude excludes exclude_pattern exclude_patterns ignore ignore_patterns ignore_globs respect_git_ignore file_filtering_options " +
  "use_default_excludes include_hidden show_hidden hidden sort sort_by order pages page page_idx page_id page_size cursor " +
  "character position detail source_control_state branch_type " +
  // Pages in a browser.
  "level only_errors ref element selector uid time text_gone width height quality verbose index reqid msgid resource_types name encoded";

/** What tools take that write files: the text itself and where in the file it goes. */
export const WRITING_ARGUMENTS =
  "content contents text new_text old_text file_text new_source new_content old_content old_string new_string old_str new_str " +
  "insert_text insert_line insert_after code code_edit diff edits edit replacements changes blocks search replace replacement search_replace_blocks " +
  "expected_replacements occurrences replace_all allow_multiple cell_id cell_number cell_idx cell_type edit_mode is_new_cell cell_language language " +
  "overwrite append create_if_missing dry_run should_write ai_proposed_content modified_by_user";
