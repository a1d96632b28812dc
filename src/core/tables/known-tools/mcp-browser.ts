export const MCP_BROWSER_TOOLS = String.raw`
# MCP: the web and the browser.

fetch/fetch, fetch/fetch_html, fetch/fetch_json, fetch/fetch_txt, fetch/fetch_markdown
  class network.read
  urls URLS
  sends
  example {"url":"https://example.com/a"}

browser_navigate, playwright/browser_navigate, puppeteer/puppeteer_navigate, chromedevtools/navigate_page,
chromedevtools/new_page
  class browser.read
  knows url uri timeout wait_until type ignore_cache page_idx page_id index width height background reason description
  knows handle_before_unload
  urls URLS
  example {"url":"https://example.com/a"}

browser_snapshot, browser_take_screenshot, browser_console_messages, browser_network_requests, browser_tab_list,
browser_wait_for, browser_resize
  class browser.read
  saves SAVED
  reach local
  example {}

playwright/browser_snapshot, playwright/browser_take_screenshot, playwright/browser_console_messages,
playwright/browser_network_requests, playwright/browser_wait_for, playwright/browser_resize, playwright/browser_hover
  class browser.read
  saves SAVED
  reach local
  example {}

browser_tabs, playwright/browser_tabs
  class browser.read
  knows action index
  verb action
  looks list select new create
  reach local
  example {}

playwright/browser_navigate_back, playwright/browser_navigate_forward, browser_navigate_back, browser_navigate_forward
  class browser.read
  example {}

browser_click, browser_type, browser_fill_form, browser_press_key, browser_select_option, browser_drag, browser_evaluate,
browser_handle_dialog, browser_close, browser_action
  class browser.act
  example {"ref":"a"}

playwright/browser_click, playwright/browser_type, playwright/browser_fill_form, playwright/browser_press_key,
playwright/browser_select_option, playwright/browser_drag, playwright/browser_evaluate, playwright/browser_run_code,
playwright/browser_handle_dialog, playwright/browser_close, playwright/browser_install
  class browser.act
  example {"ref":"a"}

browser_file_upload, playwright/browser_file_upload
  class browser.act
  reads paths
  example {"paths":["src/a.ts"]}

puppeteer/puppeteer_screenshot, chromedevtools/take_snapshot, chromedevtools/take_screenshot, chromedevtools/list_pages,
chromedevtools/list_network_requests, chromedevtools/list_console_messages, chromedevtools/get_network_request,
chromedevtools/get_console_message
  class browser.read
  saves SAVED
  reach local
  example {}

puppeteer/puppeteer_click, puppeteer/puppeteer_fill, puppeteer/puppeteer_select, puppeteer/puppeteer_hover,
puppeteer/puppeteer_evaluate, chromedevtools/click, chromedevtools/fill, chromedevtools/fill_form,
chromedevtools/evaluate_script, chromedevtools/press_key
  class browser.act
  example {"selector":"a"}
`;
