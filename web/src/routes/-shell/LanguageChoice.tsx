import { t } from '@lingui/core/macro'
import { Menu, NativeSelect, Stack, Text } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { chooseLanguage } from '#features/account/profiles/own-language.ts'
import { language, languages } from '#lib/language.ts'
import { languageName } from '#lib/language-choice.ts'
import { SectionCard } from '#ui/SectionCard.tsx'

interface LanguageProps {
  /** Of whoever is signed in: it is theirs on every device, and in their mail. */
  userId?: string | undefined
}

/** The languages there are, as part of the account menu. */
export function LanguageItems({ userId }: LanguageProps) {
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

/** The same as a field; `quiet` for a bar, where the icon says what it is. */
export function LanguageSelect({ userId, quiet = false }: LanguageProps & { quiet?: boolean }) {
  if (languages.length < 2) return null
  return (
    <NativeSelect
      {...(quiet ? { 'aria-label': t`Language` } : { label: t`Language` })}
      leftSection={<IconLanguage size={20} aria-hidden />}
      value={language}
      onChange={({ currentTarget }) => void chooseLanguage(currentTarget.value, userId)}
      data={languages.map((code) => ({ value: code, label: languageName(code) }))}
    />
  )
}

/** Where it is chosen in the settings. */
export function LanguageCard({ userId }: { userId: string }) {
  if (languages.length < 2) return null
  return (
    <SectionCard titleId="language-title" title={t`Language`}>
      <Stack gap="md" maw={320}>
        <Text>{t`For every page, and for what we email you.`}</Text>
        <LanguageSelect userId={userId} quiet />
      </Stack>
    </SectionCard>
  )
}
