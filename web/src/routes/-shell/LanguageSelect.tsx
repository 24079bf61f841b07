import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { chooseLanguage } from '#features/account/profiles/own-language.ts'
import { language, languages } from '#lib/language.ts'
import { languageName } from '#lib/language-choice.ts'
import classes from './Shell.module.css'

interface LanguageSelectProps {
  /** The signed-in person, if any: the choice also applies to their other devices and their mail. */
  userId?: string | undefined
  /** Hides the label, for use in a bar. */
  quiet?: boolean
}

/** A native select of the available languages: native, since it is part of every page's first load. */
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
