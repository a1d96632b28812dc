export const MCP_GITHUB_TOOLS = String.raw`
# MCP: GitHub.

github/get_me, github/get_teams, github/get_team_members, github/get_file_contents, github/get_commit, github/get_tag,
github/get_latest_release, github/get_release_by_tag, github/get_issue, github/get_issue_comments, github/get_label,
github/get_pull_request, github/get_pull_request_files, github/get_pull_request_diff, github/get_pull_request_status,
github/get_pull_request_comments, github/get_pull_request_reviews, github/get_pull_request_review_comments,
github/get_workflow_run, github/get_workflow_run_usage, github/get_workflow_run_logs, github/get_job_logs,
github/get_code_scanning_alert, github/get_dependabot_alert, github/get_notification_details, github/get_discussion,
github/get_discussion_comments, github/get_gist, github/get_project, github/get_project_field, github/get_project_item,
github/get_repository_tree, github/get_global_security_advisory, github/get_copilot_job_status
  class network.read
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/list_commits, github/list_branches, github/list_tags, github/list_releases, github/list_issues,
github/list_issue_types, github/list_sub_issues, github/list_label, github/list_labels, github/list_pull_requests,
github/list_workflows, github/list_workflow_runs, github/list_workflow_jobs, github/list_workflow_run_artifacts,
github/list_code_scanning_alerts, github/list_dependabot_alerts, github/list_notifications, github/list_discussions,
github/list_discussion_categories, github/list_gists, github/list_projects, github/list_project_fields,
github/list_project_items, github/list_starred_repositories, github/list_global_security_advisories,
github/list_repository_security_advisories, github/list_org_repository_security_advisories
  class network.read
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/search_code, github/search_repositories, github/search_users, github/search_orgs, github/search_issues,
github/search_pull_requests
  class network.read
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/issue_read, github/pull_request_read
  class network.read
  verb method
  looks get get_comments get_sub_issues get_labels get_diff get_status get_files get_review_comments get_reviews
  looks get_check_runs
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/get_secret_scanning_alert, github/list_secret_scanning_alerts
  class secrets.read
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/create_or_update_file, github/push_files, github/create_branch, github/delete_file, github/fork_repository,
github/create_repository, github/merge_pull_request, github/update_pull_request_branch
  class git.write
  domain api.github.com
  reach outside
  reversible no
  example {"owner":"a","repo":"b"}

github/create_issue, github/update_issue, github/add_issue_comment, github/issue_write, github/sub_issue_write,
github/add_sub_issue, github/remove_sub_issue, github/reprioritize_sub_issue, github/create_pull_request,
github/update_pull_request, github/create_pull_request_review, github/create_pending_pull_request_review,
github/create_and_submit_pull_request_review, github/add_comment_to_pending_review,
github/add_pull_request_review_comment, github/add_pull_request_review_comment_to_pending_review,
github/add_reply_to_pull_request_comment, github/pull_request_review_write, github/request_copilot_review,
github/assign_copilot_to_issue, github/create_pull_request_with_copilot, github/create_gist, github/update_gist,
github/add_project_item, github/update_project_item
  class message.send
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/submit_pending_pull_request_review, github/delete_pending_pull_request_review, github/dismiss_notification,
github/mark_all_notifications_read, github/manage_notification_subscription,
github/manage_repository_notification_subscription, github/delete_project_item, github/delete_workflow_run_logs,
github/label_write, github/star_repository, github/unstar_repository
  class network.write
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/run_workflow, github/rerun_workflow_run, github/rerun_failed_jobs, github/cancel_workflow_run,
github/create_release
  class deploy.write
  domain api.github.com
  example {"owner":"a","repo":"b"}
`;
