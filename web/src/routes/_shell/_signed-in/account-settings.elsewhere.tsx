import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { ExamplesCard } from '#features/account/elsewhere/ExamplesCard.tsx'
import { TokensCard } from '#features/account/elsewhere/TokensCard.tsx'
import { CalendarCard } from '#features/money/calendar/CalendarCard.tsx'
import { LinkButton } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { AccountSettings } from './-AccountSettings.tsx'

/** The ways out of the site: programs, calendars and files. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings/elsewhere')({
  component: Elsewhere,
})

function Elsewhere() {
  return (
    <AccountSettings title={t`Your data, elsewhere`}>
      <TokensCard />
      <ExamplesCard />
      <CalendarCard />
      <SectionCard
        titleId="files-title"
        title={t`Files`}
        gap="xs"
        aside={
          <LinkButton to="/my-savings/statement" variant="default">
            {t`Open statements`}
          </LinkButton>
        }
      >
        <Text c="dimmed">{t`Statements of each month and year as CSV and PDF. All we hold about you is under Privacy and data.`}</Text>
      </SectionCard>
    </AccountSettings>
  )
}
