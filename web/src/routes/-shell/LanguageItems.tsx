import { t } from '@lingui/core/macro'
import { Menu } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { chooseLanguage } from '#features/account/profiles/own-language.ts'
import { language, languages } from '#lib/language.ts'
import { languageName } from '#lib/language-choice.ts'

/** The available languages, as items of the account menu. */
export function LanguageItems({ userId }: { userId: string }) {
  if (languages.length < 2) return null
  return (
    <Menu.Sub position="left-start">
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconLanguage size={18} />}>{t`Language`}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        <Menu.RadioGroup value={language} onChange={(code) => void chooseLanguage(code, userId)}>
          {languages.map((code) => (
            <Menu.RadioItem key={code} value={code} lang={code}>
              {languageName(code)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
