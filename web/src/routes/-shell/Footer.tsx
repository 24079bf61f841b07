import { t } from '@lingui/core/macro'
import { ActionIcon, Container, Group, Text } from '@mantine/core'
import {
  type Icon,
  IconBrandFacebook,
  IconBrandInstagram,
  IconBrandLinkedin,
  IconBrandTwitter,
  IconBrandYoutube,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { config } from '#lib/config.ts'
import { useNavigation } from './navigation.ts'
import classes from './Shell.module.css'
import { type Network, socialLinks } from './social-links.ts'

export const networkIcons: Record<Network, Icon> = {
  Facebook: IconBrandFacebook,
  Twitter: IconBrandTwitter,
  Instagram: IconBrandInstagram,
  LinkedIn: IconBrandLinkedin,
  YouTube: IconBrandYoutube,
}

/** `plain` leaves out all links but those that the law asks for. */
export function Footer({ plain = false }: { plain?: boolean }) {
  const { footer } = useNavigation('signed-out')
  const { operatorName, version, takesReports } = config()
  return (
    <footer className={classes.footer}>
      <Container className={classes.footerInner}>
        <nav className={classes.footerLinks} aria-label={t`Footer`}>
          {footer
            .filter(({ isLegal, to }) => (isLegal || !plain) && (to !== '/report' || takesReports))
            .map(({ label, to }) => (
              <Link key={to} to={to} className={classes.link}>
                {label}
              </Link>
            ))}
        </nav>
        {!plain && (
          <Group
            gap={0}
            component="ul"
            p={0}
            my={0}
            style={{ listStyle: 'none', marginInline: '-12px', minWidth: 0 }}
            aria-label={t`Social media`}
          >
            {socialLinks(config().socialLinks ?? []).map(({ name, address }) => {
              const Mark = networkIcons[name]
              return (
                <li key={name}>
                  <ActionIcon component="a" href={address} target="_blank" rel="noreferrer" aria-label={name}>
                    <Mark size={21} />
                  </ActionIcon>
                </li>
              )
            })}
          </Group>
        )}
        <Text size="sm" c="dimmed" w="100%">
          {[
            t`Run by ${operatorName}`,
            t`Service names and marks belong to their owners`,
            version && t`Version ${version}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Container>
    </footer>
  )
}
