import { t } from '@lingui/core/macro'
import { Button, NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RULE_NAMES, RULES } from '#features/plans/catalogue/provider-rules.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useChangeSettings } from './site-settings.mutations.ts'
import { siteSettingsQuery } from './site-settings.queries.ts'

const SETTINGS = [
  ['ruleAnyone', t`Plans that may be shared with anyone`],
  ['rulePeopleYouKnow', t`Plans for family and friends`],
  ['ruleHousehold', t`Plans for people who live together`],
  ['ruleUnknown', t`Plans whose terms don’t say`],
] as const

/** Says what becomes of plans, by the people with whom their providers allow sharing; renders nothing until loaded. */
export function SharingSettings({ disabled }: { disabled: boolean }) {
  const change = useChangeSettings()
  const { data: settings } = useQuery(siteSettingsQuery)
  if (!settings) return null
  const { rulePeopleYouKnow, ruleHousehold } = settings
  return (
    <SectionCard titleId="sharing-title" title={t`What the providers’ terms allow`} gap="md" maw={640}>
      <Text>
        {t`In May 2026 a court in Paris held a marketplace liable to Apple, Disney and Netflix because it sold places to strangers against their terms. Private plans can be joined by invitation or link only. Ask a lawyer what your site may list.`}
      </Text>
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        disabled={disabled || (rulePeopleYouKnow !== 'listed' && ruleHousehold !== 'listed')}
        onClick={() => change.mutate({ rulePeopleYouKnow: 'private', ruleHousehold: 'private' })}
      >
        {t`Keep private what terms restrict`}
      </Button>
      {SETTINGS.map(([name, label]) => (
        <NativeSelect
          key={name}
          label={label}
          value={settings[name]}
          disabled={disabled || change.isPending}
          data={RULES.map((rule) => ({ value: rule, label: RULE_NAMES[rule] }))}
          onChange={({ currentTarget }) => {
            const rule = RULES.find((one) => one === currentTarget.value)
            if (rule) change.mutate({ [name]: rule })
          }}
        />
      ))}
    </SectionCard>
  )
}
