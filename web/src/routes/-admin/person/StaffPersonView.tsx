import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Badge, Group, Stack, Text } from '@mantine/core'
import { fullDate, fullDay } from '#domain/dates.ts'
import { roleName } from '#domain/roles.ts'
import { StandingSummary } from '#features/trust/standing/StandingSummary.tsx'
import { BackLink, LinkAnchor, LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { Sections } from '#ui/Sections.tsx'
import { ConfirmAddress } from './ConfirmAddress.tsx'
import { DecisionsSection } from './DecisionsSection.tsx'
import { LiftSuspension } from './LiftSuspension.tsx'
import { MoneySection } from './MoneySection.tsx'
import { PlansSection } from './PlansSection.tsx'
import { CasesSection, LogSection, ProblemsSection } from './records.tsx'
import { Section } from './Section.tsx'
import type { StaffPerson } from './staff-person.query.ts'

/** Staff's page about a person, without the sections that the reader's role does not allow. */
export function StaffPersonView({ person }: { person: StaffPerson }) {
  const { id, plans, money, problems, cases, decisions, log } = person
  return (
    <Stack gap="lg">
      <BackLink to="/admin/users">{t`User Management`}</BackLink>
      <Header person={person} />
      {person.needsProof && (
        <Alert color="honey" title={t`Your role can see more`}>
          <Trans>
            To see money, problems and the log, use a second factor or a passkey.{' '}
            <LinkAnchor to="/account-settings/security">Set one up</LinkAnchor>, or sign in with it.
          </Trans>
        </Alert>
      )}
      <Sections>
        {money && <MoneySection personId={id} money={money} />}
        {plans && <PlansSection personId={id} plans={plans} />}
        {cases && <CasesSection personId={id} cases={cases} />}
        {decisions && <DecisionsSection person={person} decisions={decisions} />}
        {problems && <ProblemsSection personId={id} problems={problems} />}
        {person.endedAt === null && (
          <Section title={t`Standing`}>
            <StandingSummary userId={id} />
          </Section>
        )}
        {log && <LogSection personId={id} log={log} />}
      </Sections>
    </Stack>
  )
}

function Header({ person }: { person: StaffPerson }) {
  const { id, name, avatarUrl, since, endedAt, suspendedUntil, suspension, email, role } = person
  const { isConfirmed, lastSignInAt } = person
  return (
    <Group wrap="nowrap" gap="md" align="flex-start">
      <PersonAvatar name={name} src={avatarUrl} size={64} />
      <Stack gap="xs" flex={1} miw={0}>
        <PageTitle
          title={name}
          actions={
            endedAt === null && (
              <LinkButton variant="default" to="/people/$personId" params={{ personId: id }}>
                {t`What others see`}
              </LinkButton>
            )
          }
        >
          <Trans>Here since {fullDay(since)}</Trans>
          {email !== null && (
            <>
              {' '}
              · <bdi>{email}</bdi>
            </>
          )}
          {lastSignInAt !== null && (
            <>
              {' '}
              · <Trans>last signed in on {fullDate(lastSignInAt)}</Trans>
            </>
          )}
        </PageTitle>
        <Group gap="xs" mt="calc(-1 * var(--mantine-spacing-lg))">
          {role !== null && (
            <Badge variant="light" tt="none">
              {roleName(role)}
            </Badge>
          )}
          {suspendedUntil !== null && (
            <Badge variant="light" color="beet" tt="none">
              <Trans>Suspended until {fullDate(suspendedUntil)}</Trans>
            </Badge>
          )}
          {!isConfirmed && endedAt === null && (
            <Badge variant="light" color="honey" tt="none">
              <Trans>Address not confirmed</Trans>
            </Badge>
          )}
          {endedAt !== null && (
            <Badge variant="light" color="gray" tt="none">
              <Trans>Closed on {fullDay(endedAt)}</Trans>
            </Badge>
          )}
        </Group>
        {suspension && (
          <Text size="sm">
            {suspension.endedPlacesAt
              ? t`Their places have ended.`
              : suspendedUntil && suspendedUntil > suspension.endsPlacesAt
                ? t`Their places end on ${fullDate(suspension.endsPlacesAt)}, unless this is lifted.`
                : t`Their places go on after it.`}
          </Text>
        )}
        {suspension && email !== null && <LiftSuspension personId={id} name={name} />}
        {!isConfirmed && endedAt === null && email !== null && <ConfirmAddress personId={id} email={email} />}
      </Stack>
    </Group>
  )
}
