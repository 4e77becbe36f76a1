"""The detectors of detect-secrets, in one list: those of providers' fixed forms, and those that go by words around.

None asks a network.
"""

from __future__ import annotations

from collections.abc import Iterator

from detect_secrets.plugins.artifactory import ArtifactoryDetector
from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.basic_auth import BasicAuthDetector
from detect_secrets.plugins.cloudant import CloudantDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.ibm_cloud_iam import IbmCloudIamDetector
from detect_secrets.plugins.ibm_cos_hmac import IbmCosHmacDetector
from detect_secrets.plugins.jwt import JwtTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.private_key import PrivateKeyDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.softlayer import SoftlayerDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

# That of OpenAI is left out: it takes quadratic time, and `sk-` keys are found beside it (redact.py, credentials.py).
# True where a secret of this kind has a fixed form, so that it can be cut out of a text by itself.
_KINDS: tuple[tuple[type[RegexBasedDetector], bool], ...] = (
    (ArtifactoryDetector, False),
    (AWSKeyDetector, True),
    (AzureStorageKeyDetector, True),
    (BasicAuthDetector, False),
    (CloudantDetector, False),
    (DiscordBotTokenDetector, True),
    (GitHubTokenDetector, True),
    (GitLabTokenDetector, True),
    (IbmCloudIamDetector, False),
    (IbmCosHmacDetector, False),
    (JwtTokenDetector, False),
    (MailchimpDetector, True),
    (NpmDetector, True),
    (PrivateKeyDetector, False),
    (PypiTokenDetector, True),
    (SendGridDetector, True),
    (SlackDetector, True),
    (SoftlayerDetector, False),
    (SquareOAuthDetector, True),
    (StripeDetector, True),
    (TelegramBotTokenDetector, True),
    (TwilioKeyDetector, True),
)
DETECTORS: tuple[RegexBasedDetector, ...] = tuple(kind() for kind, _ in _KINDS)
_PROVIDERS = tuple(detector for detector, (_, fixed) in zip(DETECTORS, _KINDS, strict=True) if fixed)
_SHORTEST = 16  # no provider's key is shorter


def provider_secrets(text: str) -> Iterator[str]:
    """Yield the secrets of known providers in a text."""
    if len(text) < _SHORTEST:
        return
    for detector in _PROVIDERS:
        for pattern in detector.denylist:
            for match in pattern.finditer(text):
                yield next((group for group in reversed(match.groups()) if group), match[0])
