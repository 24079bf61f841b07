import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { chooseLanguage } from '#features/account/profiles/own-language.ts'
import { language, languages } from '#lib/language.ts'
import { languageName } from '#lib/language-choice.ts'
import classes from './Shell.module.css'

interface LanguageSelectProps {
  /** Of whoever is signed in: it is theirs on every device, and in what they are told elsewhere. */
  userId?: string | undefined
  /** Without a label to see, for a bar. */
  quiet?: boolean
}

/** The languages there are, as a field of the browser's own: every page starts with it. */
export function LanguageSelect({ userId, quiet = false }: LanguageSelectProps) {
  if (languages.length < 2) return null
  return (
    <div>
      {!quiet && (
        <Text size="sm" c="dimmed" mb={6} aria-hidden>
          {t`Language`}
        </Text>
      )}
      <select
        aria-label={t`Language`}
        className={classes.language}
        value={language}
        onChange={({ currentTarget }) => void chooseLanguage(currentTarget.value, userId)}
      >
        {languages.map((code) => (
          <option key={code} value={code} lang={code}>
            {languageName(code)}
          </option>
        ))}
      </select>
    </div>
  )
}
