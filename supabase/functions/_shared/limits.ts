// Generated from the schema by `npm run types`. Do not edit.

/** The terms people are told. */
export * as LIMITS from './terms.ts'

/**
 * Each action's limit per person: this many attempts within this many seconds. 'auth attempt' is listed with the rest,
 * but the auth service enforces it.
 */
export const ALLOWANCES = {
  'auth attempt': { attempts: 5, seconds: 900 },
  announcement: { attempts: 5, seconds: 3600 },
  approval: { attempts: 20, seconds: 60 },
  'bank account': { attempts: 5, seconds: 3600 },
  'chat message': { attempts: 30, seconds: 60 },
  'import reading': { attempts: 10, seconds: 3600 },
  invitation: { attempts: 10, seconds: 3600 },
  'join request': { attempts: 10, seconds: 60 },
  'new token': { attempts: 30, seconds: 3600 },
  'owner action': { attempts: 50, seconds: 60 },
  payment: { attempts: 20, seconds: 3600 },
  'plan alert': { attempts: 20, seconds: 60 },
  'plan creation': { attempts: 3, seconds: 60 },
  'push device': { attempts: 10, seconds: 3600 },
  question: { attempts: 10, seconds: 3600 },
  rejection: { attempts: 20, seconds: 60 },
  'token call': { attempts: 120, seconds: 60 },
  'vault opening': { attempts: 10, seconds: 3600 },
  'view requests': { attempts: 30, seconds: 60 },
  'waiting list': { attempts: 20, seconds: 60 },
  webhook: { attempts: 30, seconds: 600 },
} as const

/** Seconds between two mails of the auth service to one address; from config.toml. */
export const MAIL_WAIT_SECONDS = 60
/** The hours for which a mailed link or code works; from config.toml. */
export const MAILED_CODE_HOURS = 1
