/** Words before a bracket in SQL that call nothing that writes: data only. Any other name may be a user's own function. */
export const QUIET_SQL_NAMES: ReadonlySet<string> = new Set(
  // Words of the language, and types with a length.
  (
    "select from where and or not in exists any some all on using as join having by values with over filter within when then " +
    "else case between like ilike is distinct union except intersect limit offset partition rows range array row table " +
    "explain analyze verbose costs buffers format cast convert interval varchar char character nchar nvarchar decimal numeric " +
    "number float double bit varbit binary varbinary time timestamp timestamptz datetime text string lateral returning key " +
    // Aggregates and window functions.
    "count sum avg min max total group_concat string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg listagg " +
    "bool_and bool_or every bit_and bit_or stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp " +
    "percentile_cont percentile_disc mode median any_value approx_count_distinct row_number rank dense_rank percent_rank cume_dist ntile lag lead " +
    "first_value last_value nth_value grouping " +
    // Numbers and texts.
    "abs ceil ceiling floor round trunc truncate_number sign mod power pow sqrt cbrt exp ln log log2 log10 pi sin cos tan asin acos atan atan2 " +
    "degrees radians random rand greatest least coalesce nullif ifnull isnull nvl iif if decode lower upper initcap length len " +
    "char_length character_length octet_length bit_length substr substring substring_index left right lpad rpad trim ltrim rtrim " +
    "btrim replace translate reverse repeat concat concat_ws position strpos instr locate split_part regexp_replace regexp_matches " +
    "regexp_match regexp_like regexp_substr regexp_instr regexp_count chr ascii unicode quote quote_ident quote_literal quote_nullable printf hex " +
    "unhex md5 sha1 sha2 sha224 sha256 sha512 crc32 encode to_hex soundex levenshtein similarity typeof pg_typeof field find_in_set elt overlay " +
    // Times.
    "now current_date current_time current_timestamp localtime localtimestamp sysdate getdate curdate curtime utc_date utc_time " +
    "utc_timestamp date julianday unixepoch strftime timediff date_trunc date_part date_bin extract age to_char to_date to_timestamp " +
    "to_number make_date make_time make_timestamp make_interval date_add date_sub dateadd datediff date_format str_to_date " +
    "timestampdiff timestampadd from_unixtime unix_timestamp year month day hour minute second week weekday " +
    "dayofweek dayofmonth dayofyear dayname monthname quarter last_day " +
    "clock_timestamp statement_timestamp transaction_timestamp justify_days justify_hours eomonth " +
    // Lists and documents.
    "unnest generate_series generate_subscripts array_length array_position array_to_string string_to_array array_remove array_append array_cat cardinality " +
    "json json_extract json_value json_query json_type json_valid json_array json_object json_array_length " +
    "json_each json_tree json_keys json_contains json_length json_unquote json_pretty json_table " +
    "jsonb_extract_path jsonb_extract_path_text json_extract_path json_extract_path_text jsonb_each " +
    "jsonb_each_text json_each_text jsonb_object_keys json_object_keys " +
    "jsonb_array_elements jsonb_array_elements_text json_array_elements json_array_elements_text " +
    "jsonb_array_length jsonb_typeof json_typeof jsonb_build_object json_build_object " +
    "jsonb_build_array json_build_array jsonb_pretty jsonb_path_query jsonb_path_exists to_json to_jsonb row_to_json openjson struct map element_at " +
    "to_tsvector to_tsquery plainto_tsquery websearch_to_tsquery ts_rank ts_headline " +
    // Information about the database.
    "version database schema user current_user session_user system_user current_database current_schema current_schemas current_setting connection_id " +
    "inet_server_addr found_rows row_count last_insert_rowid changes total_changes sqlite_version sqlite_source_id obj_description col_description " +
    "has_table_privilege has_schema_privilege to_regclass format_type txid_current_snapshot pg_size_pretty pg_total_relation_size pg_relation_size " +
    "pg_table_size pg_indexes_size pg_database_size pg_column_size pg_get_viewdef pg_get_indexdef pg_get_constraintdef pg_get_functiondef " +
    "pg_get_triggerdef pg_get_expr pg_get_userbyid pg_get_serial_sequence pg_encoding_to_char pragma_table_info pragma_index_list pragma_foreign_key_list " +
    "table_info table_xinfo index_info index_xinfo index_list foreign_key_list foreign_key_check integrity_check quick_check"
  ).split(" "),
);
