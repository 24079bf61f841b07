import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { AssistantsCard } from '#features/account/integrations/AssistantsCard.tsx'
import { ExamplesCard } from '#features/account/integrations/ExamplesCard.tsx'
import { TokensCard } from '#features/account/integrations/TokensCard.tsx'
import { WebhooksCard } from '#features/account/integrations/WebhooksCard.tsx'
import { CalendarCard } from '#features/money/calendar/CalendarCard.tsx'
import { PlanLinksCard } from '#features/plans/shared-plans/PlanLinksCard.tsx'
import { useUser } from '#lib/session.ts'
import { LinkAnchor, LinkButton, LoneLink } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { AccountSettings } from './-AccountSettings.tsx'

/** Getting data out and in: calendar, files, links and import first, then tokens and webhooks for programs. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings/elsewhere')({
  component: Elsewhere,
})

function Elsewhere() {
  return (
    <AccountSettings title={t`Your data, elsewhere`}>
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
        <Text c="dimmed">
          <Trans>
            Each month and year as CSV for a spreadsheet, and as PDF. Or take{' '}
            <LinkAnchor to="/account-settings/privacy" inherit>
              everything we hold about you
            </LinkAnchor>
            .
          </Trans>
        </Text>
      </SectionCard>
      <PlanLinksCard userId={useUser().id} />
      <SectionCard
        titleId="import-title"
        title={t`Bring your plans along`}
        gap="xs"
        aside={
          <LinkButton to="/import" variant="default">
            {t`Choose a file`}
          </LinkButton>
        }
      >
        <Text c="dimmed">{t`From Spliit, Splitwise, Wallos or a table. You see what becomes of each row before anything is shared.`}</Text>
        <LoneLink to="/payments/statement">{t`Who has paid? Read your bank statement`}</LoneLink>
      </SectionCard>
      <TokensCard />
      <ExamplesCard />
      <WebhooksCard />
      <AssistantsCard />
    </AccountSettings>
  )
}
