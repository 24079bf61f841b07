import { Container, Group, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft, IconKey } from '@tabler/icons-react'
import { createFileRoute } from '@tanstack/react-router'
import { ChangesCard } from '#features/account/security/ChangesCard.tsx'
import { PasskeysCard } from '#features/account/security/PasskeysCard.tsx'
import { SecondFactorCard } from '#features/account/security/SecondFactorCard.tsx'
import { SessionsCard } from '#features/account/security/SessionsCard.tsx'
import { LinkAnchor, LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'

/** Who can get into the account, and how. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings_/security')({ component: Security })

function Security() {
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <LinkAnchor to="/account-settings" mih={44} display="inline-flex" mb="xs">
        <Group gap={6} wrap="nowrap">
          <IconArrowLeft size={18} aria-hidden />
          Back to Account Settings
        </Group>
      </LinkAnchor>
      <PageTitle title="Security" />
      <Stack gap="lg">
        <SurfaceCard component="section" aria-labelledby="password-title">
          <Stack gap="md" align="flex-start">
            <Title order={2} id="password-title">
              Password
            </Title>
            <Text c="dimmed">You need the present one, or a code that we mail you.</Text>
            <LinkButton to="/reset-password" variant="default" leftSection={<IconKey size={18} />}>
              Change password
            </LinkButton>
          </Stack>
        </SurfaceCard>
        <PasskeysCard />
        <SecondFactorCard />
        <SessionsCard />
        <ChangesCard />
      </Stack>
    </Container>
  )
}
