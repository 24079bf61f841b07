import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { DataCard } from '#features/account/profiles/DataCard.tsx'
import { CalendarCard } from '#features/money/calendar/CalendarCard.tsx'
import { LinkButton, LoneLink } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { AccountSettings } from './-AccountSettings.tsx'

/** Ways to use a person's data outside the site: a calendar, programs, and a file with everything. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings/elsewhere')({
  component: Elsewhere,
})

function Elsewhere() {
  return (
    <AccountSettings title={t`Your data, elsewhere`}>
      <CalendarCard />
      <SectionCard
        titleId="programs-title"
        title={t`Programs`}
        gap="xs"
        aside={
          <LinkButton to="/account-settings/programs" variant="default">
            {t`Open programs`}
          </LinkButton>
        }
      >
        <Text c="dimmed">{t`For scripts, assistants and your smart home.`}</Text>
      </SectionCard>
      <DataCard />
      <SurfaceCard py="xs">
        <LoneLink to="/developers">{t`For developers`}</LoneLink>
      </SurfaceCard>
    </AccountSettings>
  )
}
