// Every error of the auth API: status, code and message as Supabase Auth returns them.
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Weakness } from '#identity/passwords.ts'

export type ErrorCode =
  | 'anonymous_provider_disabled'
  | 'bad_code_verifier'
  | 'bad_json'
  | 'bad_jwt'
  | 'bad_oauth_callback'
  | 'bad_oauth_state'
  | 'current_password_invalid'
  | 'current_password_required'
  | 'disk_full'
  | 'email_exists'
  | 'email_not_confirmed'
  | 'email_provider_disabled'
  | 'insufficient_aal'
  | 'mfa_challenge_expired'
  | 'mfa_factor_name_conflict'
  | 'mfa_factor_not_found'
  | 'mfa_ip_address_mismatch'
  | `mfa_${'totp' | 'phone' | 'webauthn'}_${'enroll' | 'verify'}_not_enabled`
  | 'mfa_recovery_codes_sole_factor'
  | 'mfa_verification_failed'
  | 'mfa_verified_factor_exists'
  | 'too_many_enrolled_mfa_factors'
  | 'feature_disabled'
  | 'flow_state_expired'
  | 'flow_state_not_found'
  | 'invalid_credentials'
  | 'manual_linking_disabled'
  | 'no_authorization'
  | 'not_admin'
  | 'otp_expired'
  | 'over_email_send_rate_limit'
  | 'over_request_rate_limit'
  | 'passkey_disabled'
  | 'phone_provider_disabled'
  | 'provider_account_refused'
  | 'provider_disabled'
  | 'provider_email_needs_verification'
  | 'provider_unavailable'
  | `PT${number}`
  | 'reauthentication_needed'
  | 'reauthentication_not_valid'
  | 'refresh_token_already_used'
  | 'refresh_token_not_found'
  | 'request_entity_too_large'
  | 'same_password'
  | 'saml_provider_disabled'
  | 'session_not_found'
  | 'signup_disabled'
  | 'too_many_passkeys'
  | 'unexpected_failure'
  | 'unknown'
  | 'user_already_exists'
  | 'user_banned'
  | 'user_not_found'
  | 'validation_failed'
  | 'weak_password'
  | 'web3_provider_disabled'
  | `webauthn_${'challenge_expired' | 'challenge_not_found' | 'credential_exists' | 'verification_failed'}`

/** An error response. Messages for people must not use status 500 to 504, whose bodies supabase-js does not read. */
export class AuthError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: ErrorCode
  readonly weakReasons: Weakness['reasons'] | undefined
  readonly retryAfterSeconds: number | undefined
  constructor(
    status: ContentfulStatusCode,
    code: ErrorCode,
    message: string,
    more: { weakReasons?: Weakness['reasons']; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'AuthError'
    this.status = status
    this.code = code
    this.weakReasons = more.weakReasons
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

export const invalid = (message: string) => new AuthError(400, 'validation_failed', message)
export const badJson = (why: string) =>
  new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${why}`)
export const badJwt = (why: string) => new AuthError(403, 'bad_jwt', why)
export const bodyTooLarge = (limit: number) =>
  new AuthError(413, 'request_entity_too_large', `Request body too large (max ${limit} bytes)`)
export const unexpected = (message: string, cause: unknown) =>
  new AuthError(500, 'unexpected_failure', message, { cause })

export const unavailable = (cause: unknown) =>
  new AuthError(503, 'unexpected_failure', 'The service is busy or restarting, please try again', {
    retryAfterSeconds: 1,
    cause,
  })

/** Uses status 507, because supabase-js hides the message of a 503. */
export const diskFull = (cause: unknown) =>
  new AuthError(
    507,
    'disk_full',
    'The disk of this site is full: nobody can sign in or change anything until there is room',
    {
      cause,
    },
  )

export const noBearer = () =>
  new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
export const notAdmin = () => new AuthError(403, 'not_admin', 'User not allowed')
export const noSession = () =>
  new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
export const banned = (status: 400 | 403, prefix = '') =>
  new AuthError(status, 'user_banned', prefix ? `${prefix}: User Banned` : 'User is banned')

export const wrongCredentials = () => new AuthError(400, 'invalid_credentials', 'Invalid login credentials')
export const emailDisabled = (status: 400 | 422, what: string) =>
  new AuthError(status, 'email_provider_disabled', `Email ${what} are disabled`)
export const phoneDisabled = (message: string, status: 400 | 422 = 400) =>
  new AuthError(status, 'phone_provider_disabled', message)
export const signupDisabled = () =>
  new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance')
export const emailExists = () =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered')
export const weakPassword = ({ message, reasons }: Weakness) =>
  new AuthError(422, 'weak_password', message, { weakReasons: reasons })

export const linkExpired = () => new AuthError(403, 'otp_expired', 'Email link is invalid or has expired')
export const codeExpired = () => new AuthError(403, 'otp_expired', 'Token has expired or is invalid')

export const tooManyRequests = (seconds: number) =>
  new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfterSeconds: seconds })
export const tooManyMails = (seconds: number) =>
  new AuthError(
    429,
    'over_email_send_rate_limit',
    `For security purposes, you can only request this after ${seconds} seconds.`,
    { retryAfterSeconds: seconds },
  )
