// A site without a server, for tests of the browser's own behaviour.
import { type Config, setConfig } from '#lib/config.ts'
import { connectSupabase } from '#lib/connect.ts'

/** Sets the test site's configuration as the current one. */
export const setTestSite = (more: Partial<Config> = {}): Config =>
  setConfig({
    supabaseUrl: 'http://127.0.0.1:9',
    supabaseAnonKey: 'key',
    outbox: false,
    demo: [],
    logoKey: null,
    operatorName: 'Potluck Test',
    takesReports: true,
    signInWith: [],
    signInByMail: true,
    ...more,
  })

/** Sets the test site's configuration as the current one, and connects the app to it. */
export const connectTestSite = (supabaseUrl = 'http://127.0.0.1:9') =>
  connectSupabase(setTestSite({ supabaseUrl }))
