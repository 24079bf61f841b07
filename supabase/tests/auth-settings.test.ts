// Proves VALID 06
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toPlainText } from '@potluck/server/mail/smtp.ts'
import { expect, test } from 'vitest'
import { readAuthSettings } from '../../server/src/auth/auth-settings.ts'
import { findWeakness } from '../../server/src/identity/passwords.ts'
import { fillTemplate, TEMPLATE_NAMES, type TemplateName } from '../../server/src/mail/templates.ts'
import { languages } from '../functions/_shared/words/languages.ts'

const FOLDER = resolve(import.meta.dirname, '..')
const settings = readAuthSettings(readFileSync(join(FOLDER, 'config.toml'), 'utf8'), {
  projectRoot: resolve(FOLDER, '..'),
})
const LINK = 'http://localhost:3000/auth/v1/verify?token=abc&type=signup'
/** A page of this site: a mail scanner that opens it does not use up the link. */
const PAGE =
  /http:\/\/localhost:3000\/auth-redirect#token_hash=abc&type=\w+&email=olivia@potluck\.example&to=http:\/\/localhost:3000\/auth-redirect$/m

test('the project asks for 8 characters of all four kinds, with a symbol that its screens count as one', () => {
  const weak = (password: string) => findWeakness(password, settings.passwordRules)?.reasons ?? []
  expect(weak('Abcde1!')).toEqual(['length'])
  for (const lacking of ['abcdef1!', 'ABCDEF1!', 'Abcdefg!', 'Abcdefg1'])
    expect([lacking, weak(lacking)]).toEqual([lacking, ['characters']])
  const symbols = '!@#$%^&*(),.?":{}|<>'
  for (const code of Array.from({ length: 95 }, (_, at) => at + 32)) {
    const symbol = String.fromCharCode(code)
    expect([symbol, weak(`Abcdefg1${symbol}`)]).toEqual([
      symbol,
      symbols.includes(symbol) ? [] : ['characters'],
    ])
  }
})

test('the project confirms addresses, and its links live an hour', () => {
  expect(settings).toMatchObject({
    siteUrl: 'http://localhost:3000',
    confirmations: true,
    otpExpirySeconds: 3600,
    reuseIntervalSeconds: 10,
    endReusedSessions: true,
  })
})

const write = (name: TemplateName, language: string) => {
  const { subject, html } = fillTemplate(settings.templates[name], {
    ConfirmationURL: LINK,
    Token: '123456',
    TokenHash: 'abc',
    SiteURL: 'http://localhost:3000',
    Email: 'olivia@potluck.example',
    NewEmail: 'new@potluck.example',
    RedirectTo: 'http://localhost:3000/auth-redirect',
    Data: language === 'en' ? {} : { language },
  })
  return { subject, html, text: toPlainText(html) }
}

test.each(TEMPLATE_NAMES)(
  'the %s mail is our own, in every language, and its text part names the person, and the link or the code',
  (name) => {
    const said = ['en', ...Object.keys(languages)].map((language) => {
      const { subject, html, text } = write(name, language)
      expect(subject).toContain('Potluck')
      expect(html).toContain(`<html lang="${language}">`)
      expect(text).toContain('olivia@potluck.example')
      if (name === 'reauthentication') expect(text).toContain('123456')
      else expect(text).toMatch(PAGE)
      expect(html).not.toContain(LINK)
      expect(html).not.toContain('{{')
      return [subject, ...text.split('\n').filter((line) => !/http|@|123456|^Potluck$|^$/.test(line))]
    })
    expect(said[0]?.at(-1)).toBe('Potluck. Share the plan. Split the cost.')
    for (const at of said[0]?.keys() ?? [])
      expect(new Set(said.map((lines) => lines[at])).size).toBe(said.length)
  },
)
