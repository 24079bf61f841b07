// A site that nobody answers for, for tests of what the browser does on its own.
import { type Config, setConfig } from '#lib/config.ts'
import { connectSupabase } from '#lib/connect.ts'

/** Makes it the current one. */
export const setTestSite = (more: Partial<Config> = {}): Config =>
  setConfig({
    supabaseUrl: 'http://127.0.0.1:9',
    supabaseAnonKey: 'key',
    outbox: false,
    demo: [],
    logoKey: null,
    operatorName: 'Potluck Test',
    operator: {},
    signInWith: [],
    signInByMail: true,
    ...more,
  })

/** Makes it the current one, and connects the app to it. */
export const connectTestSite = (supabaseUrl = 'http://127.0.0.1:9') =>
  connectSupabase(setTestSite({ supabaseUrl }))
