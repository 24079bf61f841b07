// GET /settings: lists the available ways of signing in, for sign-in screens.
import type { Handler } from 'hono'
import type { AuthParts } from './parts.ts'

const OTHER_PROVIDERS = [
  ...['anonymous_users', 'apple', 'azure', 'bitbucket', 'discord', 'facebook', 'figma', 'fly', 'github'],
  ...['gitlab', 'google', 'kakao', 'keycloak', 'linkedin', 'linkedin_oidc', 'notion', 'phone', 'slack'],
  ...['slack_oidc', 'snapchat', 'spotify', 'twitch', 'twitter', 'workos', 'x', 'zoom'],
]

export function settings({ settings }: AuthParts): Handler {
  const external = {
    ...Object.fromEntries(OTHER_PROVIDERS.map((provider) => [provider, false])),
    ...Object.fromEntries(Object.keys(settings.providers).map((provider) => [provider, true])),
    email: settings.emailEnabled,
  }
  return (context) =>
    context.json({
      external,
      disable_signup: !settings.signupEnabled,
      mailer_autoconfirm: !settings.confirmations,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
      passkeys_enabled: settings.passkeys !== null,
    })
}
