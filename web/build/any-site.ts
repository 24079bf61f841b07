import { setConfig } from '#lib/config.ts'

/**
 * Configures the app for prerendering pages that every deployment serves: the operator's name is a placeholder, and
 * logos are the bundled ones.
 */
export function forAnySite(): void {
  setConfig({
    supabaseUrl: 'http://localhost',
    supabaseAnonKey: 'none',
    outbox: false,
    demo: [],
    logoKey: null,
    operatorName: '{{operatorName}}',
    takesReports: true,
    signInWith: [],
    signInByMail: true,
  })
}
