import { setConfig } from '#lib/config.ts'

/** What the build draws is for every deployment. What a logo is drawn from is the same for all without a key of their own. */
export function forAnySite(): void {
  setConfig({
    supabaseUrl: 'http://localhost',
    supabaseAnonKey: 'none',
    outbox: false,
    demo: [],
    logoKey: null,
    operatorName: '{{OPERATOR_NAME}}',
    operator: {},
    signInWith: [],
    signInByMail: true,
  })
}
